import type { Knex } from 'knex'
import { chunksOf } from '../database/chunks.js'
import type { Database } from '../database/database.js'
import { bookingRow } from '../rows/booking-row.js'
import type { Site } from './site.js'

/** Writes the bookings as they are decided, new ones and known ones. */
export async function writeBookings(
  { tables }: Database,
  trx: Knex.Transaction,
  sites: Site[],
): Promise<void> {
  const rows = sites.flatMap(({ event: { provider, account }, settlement: { decision } }) =>
    (decision?.bookings ?? []).map(booking => bookingRow(provider, account, booking)),
  )
  for (const chunk of chunksOf(rows))
    await trx(tables.bookings).insert(chunk).onConflict(['provider', 'account', 'booking_id']).merge()
}
