import type { Explanation } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import type { Owner } from '../settle/owner.js'
import { explainedEvents } from './explained-events.js'
import { explainedThread } from './explained-thread.js'

/** The story of a booking and its thread; null for one that nothing names. */
export async function explainBooking(
  database: Database,
  bookingId: string,
  of: { provider?: string; account?: string },
): Promise<Explanation | null> {
  const owner = await ownerOf(database, bookingId, of)
  if (owner === null) return null
  const thread = await explainedThread(database, owner, bookingId)
  const ids = thread.length > 0 ? thread.map(({ id }) => id) : [bookingId]
  const meetings = thread.flatMap(({ meetingId }) => meetingId ?? [])
  const events = await explainedEvents(database, owner, ids, meetings)
  return { bookingId, ...owner, thread, events }
}

async function ownerOf(
  { knex, tables }: Database,
  bookingId: string,
  { provider, account }: { provider?: string; account?: string },
): Promise<Owner | null> {
  const narrowed = {
    ...(provider === undefined ? {} : { provider }),
    ...(account === undefined ? {} : { account }),
  }
  for (const [table, order] of [
    [tables.bookings, 'updated_us'],
    [tables.events, 'sequence'],
  ] as const) {
    const [row] = await knex(table)
      .select('provider', 'account')
      .where({ booking_id: bookingId, ...narrowed })
      .orderBy(order, 'desc')
      .limit(1)
    if (row) return { provider: row.provider, account: row.account }
  }
  return null
}
