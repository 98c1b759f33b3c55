import {
  type Answer,
  type Attendee,
  type BookingDetails,
  type Links,
  type Location,
  objectsIn,
  type Payment,
  textOrNull,
} from '@booking-webhooks/core'
import {
  type AcuityAppointment,
  type AcuityForm,
  type AcuityFormValue,
  type Appointment,
  readId,
  saysForms,
} from './appointment.js'

/** What describes an appointment to a person. What the answer leaves out is left out here, so that what is known of it stays. */
export function detailsOf(
  { answer, calendarId }: Appointment,
  known: Attendee | null = null,
): Partial<BookingDetails> {
  const says = (...fields: (keyof AcuityAppointment)[]) => fields.every(field => answer[field] !== undefined)
  const hosts =
    calendarId === null ? [] : [{ id: calendarId, name: textOrNull(answer.calendar), email: null }]
  return {
    guests: [],
    tracking: null,
    seats: null,
    ...(says('type') && { title: textOrNull(answer.type) }),
    ...(says('timezone') && { timeZone: textOrNull(answer.timezone) }),
    ...(says('calendarID') && { hosts }),
    ...(contact.some(field => says(field)) && { attendee: attendeeOf(answer, known) }),
    ...(says('location') && { location: locationOf(textOrNull(answer.location)) }),
    ...(says('confirmationPage', 'canClientCancel', 'canClientReschedule') && { links: linksOf(answer) }),
    ...(saysForms(answer) && { answers: answersOf(answer.forms) }),
  }
}

const contact = ['firstName', 'lastName', 'email', 'phone'] as const

/** Acuity names no currency. `price` is what the appointment costs, whatever was paid of it; undefined where the answer says nothing. */
export function paymentOf({ answer }: Appointment): Payment | null | undefined {
  if (answer.price === undefined && answer.paid === undefined) return undefined
  const amount = textOrNull(answer.price)
  const paid = textOrNull(answer.paid)
  if (amount === null && paid === null) return null
  return { amount, currency: null, paid: paid === null ? null : paid === 'yes', reference: null }
}

/** Null for a booking by staff that names nobody. `known` is who it was as far as the answer does not say. */
function attendeeOf(answer: AcuityAppointment, known: Attendee | null): Attendee | null {
  const { firstName, lastName, email, phone, timezone } = answer
  const names = [textOrNull(firstName), textOrNull(lastName)].filter(Boolean).join(' ').trim()
  const isNamed = firstName !== undefined || lastName !== undefined
  const attendee: Attendee = {
    name: isNamed ? textOrNull(names) : (known?.name ?? null),
    email: email === undefined ? (known?.email ?? null) : textOrNull(email),
    phone: phone === undefined ? (known?.phone ?? null) : textOrNull(phone),
    timeZone: timezone === undefined ? (known?.timeZone ?? null) : textOrNull(timezone),
  }
  return attendee.name === null && attendee.email === null && attendee.phone === null ? null : attendee
}

/** Free text in Acuity: what kind of place it is cannot be told. */
function locationOf(text: string | null): Location | null {
  if (text === null) return null
  const isLink = /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
  return { kind: 'other', url: isLink ? text : null, text }
}

/** One page does both; whether the client may still use it depends on the account's scheduling limits. */
function linksOf(answer: AcuityAppointment): Links {
  const page = textOrNull(answer.confirmationPage)
  return {
    cancel: answer.canClientCancel === true ? page : null,
    reschedule: answer.canClientReschedule === true ? page : null,
  }
}

function answersOf(forms: unknown): Answer[] {
  return objectsIn<AcuityForm>(forms).flatMap(form =>
    objectsIn<AcuityFormValue>(form.values).map(value => ({
      question: textOrNull(value.name),
      answer: textOrNull(value.value),
      key: readId(value.fieldID),
    })),
  )
}
