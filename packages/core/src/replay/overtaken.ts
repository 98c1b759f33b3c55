import type { Booking, BookingStatus } from '../event/booking.js'
import type { BookingEvent } from '../event/event.js'

/**
 * True where a booking has ended or moved since an event told of it, or got the slot that it waited for: telling it again
 * would bring a calendar back to what is no longer so. False where the booking is not known, or there is none.
 */
export function isOvertaken(
  { type, booking: told }: Pick<BookingEvent, 'type' | 'booking'>,
  now: Booking | null,
): boolean {
  if (told === null || now === null) return false
  if (isOver(now.status)) return !isOver(told.status)
  if (type === 'booking.conflict' && now.status !== 'conflict') return true
  return isOther(told.startsAt, now.startsAt) || isOther(hostsOf(told), hostsOf(now))
}

function isOver(status: BookingStatus | null): boolean {
  return status === 'canceled' || status === 'rejected' || status === 'rescheduled'
}

/** What was not known before, or is not known any more, did not change. */
function isOther(before: string | null, now: string | null): boolean {
  return before !== null && now !== null && before !== now
}

function hostsOf({ hosts }: Booking): string | null {
  return hosts.length === 0 ? null : JSON.stringify(hosts.map(({ id, email }) => id ?? email).sort())
}
