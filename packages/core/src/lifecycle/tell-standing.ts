import { isDeepStrictEqual } from 'node:util'
import type { Host } from '../event/booking.js'
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
  const isInPlace = isOfOneThatIsThere(scene.fact)
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
 * Whether a booking that moved has the time and the hosts that subscribers know: another class at its time, say, which is no reschedule to
 * them. Not so while it waited: the conflict that they were told of took the booking from where it was.
 */
export function isWhereItWasTold({ known }: Scene, booking: StoredBooking): boolean {
  const stored = known.bookings.find(({ id }) => id === booking.id)
  const told = stored?.toldAs ?? null
  if (!stored || told === null || stored.told !== 'open' || stored.waits) return false
  return isDeepStrictEqual(
    [stored.status, told.startsUs, told.endsUs, stored.resources, told.hosts.map(nameOf)],
    [booking.status, booking.startsUs, booking.endsUs, booking.resources, booking.details.hosts.map(nameOf)],
  )
}

/** By what a host is told from others: the name of a calendar may change without its hosts. */
function nameOf({ id, email, name }: Host): string | null {
  return id ?? email ?? name
}

/** Whether a fact speaks of a booking that was there before it: none is told as created for it. */
export function isOfOneThatIsThere({ kind, wasThere = false }: Fact): boolean {
  return kind === 'moved' || kind === 'reassigned' || wasThere
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

/** What the scene's fact says was there before this booking; null where it says nothing of it. */
export function replacedBy(scene: Scene, booking: StoredBooking): string | null {
  const touched = scene.after.touched.get(scene.fact.key)
  if (!touched?.targets.includes(booking.id)) return null
  return touched.replaced.at(-1) ?? standIn(scene)
}

/** Where nobody is known there, the meeting's name stands for whoever it was, unless a booking has that name. */
function standIn({ fact: { kind, previous }, rows }: Scene): string | null {
  if (previous === null || previous.kind === 'booking' || kind === 'moved') return null
  const { meetingId } = previous
  if (!rows.get(meetingId)?.status) return meetingId
  return previous.kind === 'person' ? `${meetingId}~${previous.alias}` : null
}
