import {
  type Answer,
  type Attendee,
  type BookingDetails,
  type Host,
  idOrNull,
  numberOrNull,
  objectOrNull,
  objectsIn,
  type Payment,
  textOrNull,
} from '@booking-webhooks/core'
import { locationOf } from './location.js'
import type {
  CalendlyAnswer,
  CalendlyPayload,
  CalendlyPayment,
  CalendlyScheduledEvent,
  CalendlyTracking,
} from './payload.js'

/** What a payload says of its booking; what only the meeting could say is left out where there is no meeting. */
export function bookingDetails(
  payload: CalendlyPayload,
  meeting: CalendlyScheduledEvent | null,
): Partial<BookingDetails> {
  return {
    timeZone: textOrNull(payload.timezone),
    attendee: attendeeOf(payload),
    answers: answersOf(payload),
    tracking: trackingOf(payload.tracking),
    links: { cancel: textOrNull(payload.cancel_url), reschedule: textOrNull(payload.reschedule_url) },
    ...(meeting && {
      title: textOrNull(meeting.name),
      hosts: hostsOf(meeting),
      guests: objectsIn<{ email: string }>(meeting.event_guests).map(guest => ({
        name: null,
        email: textOrNull(guest.email),
      })),
      location: locationOf(meeting.location),
      seats: seatsOf(meeting),
    }),
  }
}

/** The users who hold the meeting, each once, sorted by id. Never who made the subscription or who booked for the attendee. */
export function hostsOf(meeting: CalendlyScheduledEvent): Host[] {
  const byId = new Map<string, Host>()
  for (const { user, user_name, user_email } of objectsIn<Membership>(meeting.event_memberships)) {
    const id = idOrNull(user)
    if (id !== null) byId.set(id, { id, name: textOrNull(user_name), email: textOrNull(user_email) })
  }
  return [...byId].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, host]) => host)
}

type Membership = NonNullable<CalendlyScheduledEvent['event_memberships']>[number]

/** A payment as far as Calendly tells: refunds are not part of it. Undefined where the payload does not say. */
export function paymentOf(payload: CalendlyPayload): Payment | null | undefined {
  if (payload.payment === undefined) return undefined
  const payment = objectOrNull<CalendlyPayment>(payload.payment)
  if (!payment) return null
  const amount = numberOrNull(payment.amount)
  return {
    amount: amount === null ? null : amount.toFixed(2),
    currency: textOrNull(payment.currency)?.toUpperCase() ?? null,
    paid: typeof payment.successful === 'boolean' ? payment.successful : null,
    reference: textOrNull(payment.external_id),
  }
}

function attendeeOf(payload: CalendlyPayload): Attendee {
  const parts = [textOrNull(payload.first_name), textOrNull(payload.last_name)].filter(Boolean)
  return {
    name: textOrNull(payload.name) ?? textOrNull(parts.join(' ')),
    email: textOrNull(payload.email),
    phone: textOrNull(payload.text_reminder_number),
    timeZone: textOrNull(payload.timezone),
  }
}

function answersOf(payload: CalendlyPayload): Answer[] {
  const position = (answer: CalendlyAnswer) => numberOrNull(answer.position) ?? Number.MAX_SAFE_INTEGER
  return objectsIn<CalendlyAnswer>(payload.questions_and_answers)
    .sort((a, b) => position(a) - position(b))
    .map(({ question, answer }) => ({
      question: textOrNull(question),
      answer: textOrNull(answer),
      key: null,
    }))
}

function trackingOf(value: unknown): BookingDetails['tracking'] {
  const tracking = objectOrNull<CalendlyTracking>(value)
  return (
    tracking && {
      utm_campaign: textOrNull(tracking.utm_campaign),
      utm_source: textOrNull(tracking.utm_source),
      utm_medium: textOrNull(tracking.utm_medium),
      utm_content: textOrNull(tracking.utm_content),
      utm_term: textOrNull(tracking.utm_term),
      salesforce_uuid: textOrNull(tracking.salesforce_uuid),
    }
  )
}

function seatsOf(meeting: CalendlyScheduledEvent): BookingDetails['seats'] {
  const counter = objectOrNull<NonNullable<CalendlyScheduledEvent['invitees_counter']>>(
    meeting.invitees_counter,
  )
  return counter && { id: null, capacity: numberOrNull(counter.limit), taken: numberOrNull(counter.active) }
}
