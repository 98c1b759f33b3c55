import type { Announcement } from '@booking-webhooks/core'

/** A subscriber's calendar, kept as the quick start keeps it: booking id to start. Every step may be repeated. */
export type Calendar = Map<string, string | null>

/** What a subscriber does with one event. */
export function keep(calendar: Calendar, { type, booking, previous }: Announcement): void {
  switch (type) {
    case 'booking.created':
      calendar.set(booking.id, booking.startsAt)
      break
    case 'booking.rescheduled':
      if (previous) calendar.delete(previous.bookingId)
      // A reschedule that needs a host's yes only takes the old entry off.
      if (booking.status !== 'requested') calendar.set(booking.id, booking.startsAt)
      break
    case 'booking.conflict':
      if (previous) calendar.delete(previous.bookingId)
      break
    case 'booking.canceled':
    case 'booking.rejected':
      calendar.delete(booking.id)
      break
    default:
      break
  }
}
