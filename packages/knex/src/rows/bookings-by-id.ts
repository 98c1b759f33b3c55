import type { StoredBooking } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import type { Owner } from '../settle/owner.js'
import { bookingColumns, storedBooking } from './booking-row.js'

/** These bookings' rows as they are now, unlocked. */
export async function bookingsById(
  db: Knex,
  { tables }: Pick<Database, 'tables'>,
  { provider, account }: Owner,
  ids: string[],
): Promise<StoredBooking[]> {
  if (ids.length === 0) return []
  const rows: Row[] = await db(tables.bookings)
    .select(...bookingColumns)
    .where({ provider, account })
    .whereIn('booking_id', ids)
  return rows.map(storedBooking)
}

/** One booking's row as it is now, unlocked; null where there is none. */
export async function bookingById(
  db: Knex,
  database: Pick<Database, 'tables'>,
  provider: string,
  account: string,
  id: string,
): Promise<StoredBooking | null> {
  return (await bookingsById(db, database, { provider, account }, [id]))[0] ?? null
}
