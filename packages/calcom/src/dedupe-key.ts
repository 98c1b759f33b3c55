import { idOrNull, type Micros, type PersonTarget, parseInstant, type Target } from '@booking-webhooks/core'
import type { Delivery } from './delivery.js'
import { occurredUs } from './occurred.js'
import type { CalcomPayload } from './payload.js'
import type { Named, Reach } from './reach.js'
import { seatingOf } from './seating.js'
import type { Trigger } from './trigger.js'

/**
 * What makes two deliveries tell the same. Too fine a key is found `unchanged` by the lifecycle, too coarse a one loses an event;
 * so the envelope's time is in it wherever the same can happen again. Two subscriptions send two times (and maybe two versions)
 * for one event: where nothing can happen twice the time is left out. Never `bookingId`, `iCalSequence` or `status`.
 */
export function reachKey(delivery: Named, { key }: Trigger, reach: Reach): string {
  const { payload, uid } = delivery
  const whose = targetName(reach.target)
  const sent = sentAt(delivery)
  switch (key) {
    case 'CREATED':
    case 'REQUESTED':
    case 'REJECTED':
    case 'CANCELLED':
      return joined(key, whose, ...onceEach(reach, sent))
    case 'RESCHEDULED':
      return isNewBooking(payload, uid)
        ? joined(key, uid)
        : joined(
            key,
            whose,
            idOrNull(payload.rescheduleUid) ?? '',
            millis(parseInstant(payload.startTime)),
            sent,
          )
    case 'NO_SHOW':
      return joined(key, whose, String(reach.noShow), sent)
    case 'PAID':
      return joined(key, whose, paymentIdOf(payload) ?? sent)
    case 'MEETING_STARTED':
    case 'MEETING_ENDED':
      return joined(key, whose, millis(occurredUs(delivery)) || delivery.bodyHash)
    default:
      return joined(key, whose, sent)
  }
}

/** As `reachKey`, for a delivery that is told under its trigger's own name. */
export function otherKey(delivery: Delivery): string {
  const { trigger, payload, uid, bodyHash } = delivery
  if (trigger === 'BOOKING_PAYMENT_INITIATED' && uid !== null)
    return joined(
      'PAYMENT_INITIATED',
      idOrNull(payload.attendeeSeatId) ?? uid,
      paymentIdOf(payload) ?? sentAt(delivery),
    )
  return joined(trigger, bodyHash)
}

/** The key that a webhook would have had, for what the API tells: of a uid, or `<uid>*` for a whole meeting. */
export function foundKey(key: string, ...whose: string[]): string {
  return joined(key, ...whose)
}

/** A seat may be sent with another person's id, a person may come back; a booking does each of these things once. */
function onceEach({ target }: Reach, sent: string): string[] {
  if (target.kind !== 'person') return []
  return seatIn(target) === null ? [sent] : [target.alias]
}

function targetName(target: Target): string {
  switch (target.kind) {
    case 'booking':
      return target.id
    case 'meeting':
      return `${target.meetingId}*`
    case 'person':
      return seatIn(target) ?? `${target.meetingId}~${target.alias}`
  }
}

function seatIn({ named, meetingId }: PersonTarget): string | null {
  return named === meetingId ? null : named
}

function isNewBooking(payload: CalcomPayload, uid: string): boolean {
  const from = idOrNull(payload.rescheduleUid)
  return seatingOf(payload) === 'unseated' && from !== null && from !== uid
}

function paymentIdOf({ paymentId }: CalcomPayload): string | null {
  return idOrNull(typeof paymentId === 'number' ? String(paymentId) : paymentId)
}

function sentAt({ createdUs, bodyHash }: Delivery): string {
  return millis(createdUs) || bodyHash
}

function millis(us: Micros | null): string {
  return us === null ? '' : String(Math.floor(us / 1000))
}

/** The separator is escaped inside a part, so that no two lists of parts are joined to the same text. */
function joined(...parts: string[]): string {
  return parts.map(part => part.replace(/[%|]/g, encodeURIComponent)).join('|')
}
