import type { Explanation } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import { eventsOfBookings } from '../rows/events-of-bookings.js'
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
  database: Database,
  bookingId: string,
  { provider, account }: { provider?: string; account?: string },
): Promise<Owner | null> {
  const { knex, tables } = database
  const narrowed = {
    ...(provider === undefined ? {} : { provider }),
    ...(account === undefined ? {} : { account }),
  }
  const ownersOf = (table: string) => knex(table).select('provider', 'account').limit(1)
  const [known] = await ownersOf(tables.bookings)
    .where({ booking_id: bookingId, ...narrowed })
    .orderBy('updated_us', 'desc')
  if (known) return known
  const [named] = await ownersOf(tables.events)
    .whereIn('id', eventsOfBookings(database, [bookingId], narrowed))
    .orderBy('sequence', 'desc')
  return named ?? null
}
