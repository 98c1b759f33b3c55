import { type Booking, type BookingEvent, renderBooking } from '@booking-webhooks/core'
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
  return row ? renderBooking(storedBooking(row)) : null
}
