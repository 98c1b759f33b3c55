import { type Booking, type BookingEvent, formatInstantOrNull } from '@booking-webhooks/core'
import { bookingColumns, storedBooking } from './booking-row.js'
import type { Database } from './database.js'

/** An event's booking as it is today; null where there is none. */
export async function bookingNow(
  { knex, tables }: Database,
  { provider, account, booking }: BookingEvent,
): Promise<Booking | null> {
  if (booking === null) return null
  const [row] = await knex(tables.bookings)
    .select(...bookingColumns)
    .where({ provider, account, booking_id: booking.id })
  if (!row) return null
  const { id, threadId, meetingId, status, startsUs, endsUs, noShow, payment, details, waits } =
    storedBooking(row)
  return {
    id,
    threadId,
    meetingId,
    status: waits && status === 'confirmed' ? 'conflict' : status,
    startsAt: formatInstantOrNull(startsUs),
    endsAt: formatInstantOrNull(endsUs),
    noShow,
    payment,
    ...details,
  }
}
