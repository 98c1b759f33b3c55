import type { BookingEventType, FactKind } from '@booking-webhooks/core'

/** A trigger that is about a booking. */
export interface Trigger {
  /** Its name in dedupe keys: shared where two triggers may tell the same. */
  key: string
  /** What it does as a rule; a reschedule to a new booking creates that one. */
  kind: FactKind
}

/**
 * The triggers that change or mark a booking. Every other one, known or not, is told under its own name.
 * https://cal.com/docs/api-reference/v2/webhooks/create-a-webhook
 */
const triggers = new Map<string, Trigger>([
  ['BOOKING_CREATED', { key: 'CREATED', kind: 'created' }],
  // Whether BOOKING_CREATED comes too is not documented: one key, so either way once.
  ['INSTANT_MEETING_ACCEPTED', { key: 'CREATED', kind: 'created' }],
  ['BOOKING_REQUESTED', { key: 'REQUESTED', kind: 'requested' }],
  ['BOOKING_RESCHEDULED', { key: 'RESCHEDULED', kind: 'moved' }],
  ['BOOKING_CANCELLED', { key: 'CANCELLED', kind: 'canceled' }],
  ['BOOKING_REJECTED', { key: 'REJECTED', kind: 'rejected' }],
  ['BOOKING_LOCATION_UPDATED', { key: 'LOCATION', kind: 'updated' }],
  ['BOOKING_REASSIGNED', { key: 'REASSIGNED', kind: 'reassigned' }],
  ['BOOKING_NO_SHOW_UPDATED', { key: 'NO_SHOW', kind: 'no_show' }],
  ['BOOKING_PAID', { key: 'PAID', kind: 'paid' }],
  ['MEETING_STARTED', { key: 'MEETING_STARTED', kind: 'started' }],
  ['MEETING_ENDED', { key: 'MEETING_ENDED', kind: 'ended' }],
])

/** Null for a trigger that is about no booking, or says nothing that the lifecycle knows. */
export function triggerNamed(name: string): Trigger | null {
  return triggers.get(name) ?? null
}

/** What subscribers hear of a change. */
export function typeOf(kind: FactKind, replaces: boolean): BookingEventType {
  switch (kind) {
    case 'requested':
    case 'created':
      return replaces ? 'booking.rescheduled' : `booking.${kind}`
    case 'moved':
    case 'half':
    case 'reassigned':
      return 'booking.rescheduled'
    default:
      return `booking.${kind}`
  }
}
