import type { StoredBooking } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { bookingColumns, storedBooking } from './booking-row.js'
import type { Database } from './database.js'
import type { Row } from './dialect.js'

/** One booking's row as it is now, unlocked; null where there is none. */
export async function bookingById(
  db: Knex,
  { tables }: Pick<Database, 'tables'>,
  provider: string,
  account: string,
  id: string,
): Promise<StoredBooking | null> {
  const [row]: Row[] = await db(tables.bookings)
    .select(...bookingColumns)
    .where({ provider, account, booking_id: id })
  return row ? storedBooking(row) : null
}
