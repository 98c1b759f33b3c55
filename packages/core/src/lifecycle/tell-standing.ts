import type { BookingEventType, Conflict } from '../event/event.js'
import type { StoredBooking } from './decision.js'
import type { Fact } from './fact.js'
import { nearestUnended, type Scene } from './scene.js'

/** As what a booking's new standing is told, and in place of which booking. */
export interface Standing {
  type: Conflict['wanted'] | 'booking.requested'
  previousId: string | null
}

/** A reschedule where it replaces a booking or moves; else a request, or a booking that was made. */
export function standingOf(scene: Scene, booking: StoredBooking): Standing {
  const isInPlace = scene.fact.kind === 'moved' || scene.fact.kind === 'reassigned'
  if (isInPlace && booking.told === 'open') return { type: 'booking.rescheduled', previousId: booking.id }
  const nearest = nearestUnended(scene, booking.id)?.id ?? null
  const linked = booking.told === 'none' ? replacedBy(scene, booking) : null
  const previousId = nearest ?? linked ?? (isInPlace ? booking.id : null)
  if (previousId !== null) return { type: 'booking.rescheduled', previousId }
  return {
    type: booking.status === 'requested' ? 'booking.requested' : 'booking.created',
    previousId: null,
  }
}

/**
 * Tells that a booking waits for its slots. It stands for the end of the booking that it would have replaced: of itself where
 * subscribers were told of it under its own id.
 */
export function tellConflict(
  scene: Scene,
  booking: StoredBooking,
  { type, previousId }: Standing,
  suffix: string,
): void {
  scene.tell({
    type: 'booking.conflict',
    booking,
    previousId: previousId ?? (booking.told === 'open' ? booking.id : null),
    conflict: { wanted: wantedType(type), with: scene.assignment.rivals(booking) },
    suffix,
  })
}

/** What can wait for a slot. */
export function wantedType(type: BookingEventType): Conflict['wanted'] {
  return type === 'booking.rescheduled' ? type : 'booking.created'
}

/** What the fact says was there before; where nobody is known there, the meeting's name stands for whoever it was. */
function replacedBy({ fact, after }: Scene, booking: StoredBooking): string | null {
  const touched = after.touched.get(fact.key)
  if (!touched?.targets.includes(booking.id)) return null
  return touched.replaced.at(-1) ?? nameOf(fact)
}

function nameOf({ kind, previous }: Fact): string | null {
  if (previous === null || previous.kind === 'booking' || kind === 'moved') return null
  return previous.meetingId
}
