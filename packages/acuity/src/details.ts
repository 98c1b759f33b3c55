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
} from './appointment.js'

/** What describes an appointment to a person. Answers are left out where the API left the forms out. */
export function detailsOf({ answer, calendarId }: Appointment): Partial<BookingDetails> {
  return {
    title: textOrNull(answer.type),
    timeZone: textOrNull(answer.timezone),
    hosts: calendarId === null ? [] : [{ id: calendarId, name: textOrNull(answer.calendar), email: null }],
    attendee: attendeeOf(answer),
    guests: [],
    location: locationOf(textOrNull(answer.location)),
    tracking: null,
    links: linksOf(answer),
    seats: null,
    ...(answer.forms === undefined ? {} : { answers: answersOf(answer.forms) }),
  }
}

/** Acuity names no currency. `price` is what the appointment costs, whatever was paid of it. */
export function paymentOf({ answer }: Appointment): Payment | null {
  const amount = textOrNull(answer.price)
  const paid = textOrNull(answer.paid)
  if (amount === null && paid === null) return null
  return { amount, currency: null, paid: paid === null ? null : paid === 'yes', reference: null }
}

/** Null for a booking by staff that names nobody. */
function attendeeOf(answer: AcuityAppointment): Attendee | null {
  const names = [textOrNull(answer.firstName), textOrNull(answer.lastName)]
  const name = textOrNull(names.filter(Boolean).join(' ').trim())
  const email = textOrNull(answer.email)
  const phone = textOrNull(answer.phone)
  if (name === null && email === null && phone === null) return null
  return { name, email, phone, timeZone: textOrNull(answer.timezone) }
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
