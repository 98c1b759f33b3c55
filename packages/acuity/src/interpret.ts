import type {
  InterpretContext,
  Interpreted,
  Micros,
  Snapshot,
  StoredBooking,
  StoredReading,
} from '@booking-webhooks/core'
import { type Appointment, readAppointment } from './appointment.js'
import { compare } from './compare.js'
import { factOf } from './fact.js'
import { knownOf } from './known.js'
import { noticeType, readNotification } from './notification.js'
import { placedAs } from './place.js'
import type { AcuityRaw } from './raw.js'

/** A stored notification beside the API's answer, and beside what is stored of the booking, as up to two events. Pure. */
export function interpret(
  reading: StoredReading,
  snapshot: Snapshot | null,
  booking: StoredBooking | null,
  { connectedUs }: Pick<InterpretContext, 'connectedUs'>,
): Interpreted[] {
  const key = reading.dedupeKey
  const notification = readNotification(reading.body)
  if ('unreadable' in notification) return [{ key, unreadable: notification.unreadable }]
  const raw: AcuityRaw = { notification: notification.fields, appointment: null }
  if (notification.about !== 'appointment' || snapshot === null)
    return [{ key, type: noticeType(notification), occurredUs: null, raw }]

  const answered = readAppointment(snapshot, notification.id)
  if (!answered)
    return [{ key, unreadable: 'The answer of the API is not this appointment with a certain start.' }]
  const found = placedAs(answered, booking)
  const hint = { saysMoved: notification.name === 'rescheduled', isOlder: isOlder(found, connectedUs) }
  const known = knownOf(booking)
  const changes = compare(known, found, hint)
  if (changes.length === 0) return [{ key, unchanged: 'The appointment is as it was last seen.' }]
  return changes.map((change, index) => ({
    key: index === 0 ? key : `${key}|${change}`,
    fact: factOf(change, found, known && booking),
    raw: { ...raw, appointment: found.answer },
  }))
}

/** In whole seconds, which is all that Acuity tells. An appointment that does not say counts as new. */
function isOlder({ createdUs }: Appointment, connectedUs: Micros): boolean {
  return createdUs !== null && Math.floor(createdUs / 1e6) < Math.floor(connectedUs / 1e6)
}
