import type { ClaimedLane, SettleTransaction, StoredEvent } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { addEvent } from './add-event.js'
import { bookingById } from './booking-by-id.js'
import { bookingColumns, storedBooking } from './booking-row.js'
import type { Database } from './database.js'
import type { Row } from './dialect.js'
import { lockSlots } from './lock-slots.js'
import { lockThread } from './lock-thread.js'
import { rereadEvent } from './reread-event.js'
import { storedEvents } from './stored-events.js'
import { registeredSubscribers } from './subscribers.js'
import { underFence } from './transaction.js'
import { waitersFor } from './waiting.js'
import { writeSettlement } from './write-settlement.js'

/** Runs `work` once in one transaction under the lane's fence. */
export function settle<Result>(
  database: Database,
  lane: ClaimedLane,
  work: (transaction: SettleTransaction) => Promise<Result>,
): Promise<Result> {
  return underFence(database, lane, (trx, { nowUs }) => work(settleTransaction(database, trx, lane, nowUs)))
}

function settleTransaction(
  database: Database,
  trx: Knex.Transaction,
  lane: ClaimedLane,
  nowUs: number,
): SettleTransaction {
  // Nobody else writes an event of this lane meanwhile, so what was read of it stays true until it is written.
  const known = new Map<string, StoredEvent>()
  const event = async (id: string): Promise<StoredEvent | null> => {
    const [stored] = await storedEvents(trx, database, [id])
    if (stored) known.set(id, stored)
    return stored ?? null
  }
  return {
    nowUs,
    event,
    async addEvent(added, settledHere) {
      const stored = await addEvent(database, trx, added, settledHere)
      known.set(stored.id, stored)
      return stored
    },
    reread: added => rereadEvent(database, trx, added),
    booking: (provider, account, id) => bookingById(trx, database, provider, account, id),
    lockThread: (provider, account, subjects) => lockThread(database, trx, { provider, account }, subjects),
    lockSlots: slots => lockSlots(database, trx, slots),
    neighbours: async (provider, account, meetingIds, except) => {
      const rows: Row[] = await trx(database.tables.bookings)
        .select(...bookingColumns)
        .where({ provider, account })
        .whereIn('meeting_id', meetingIds)
        .whereIn('status', ['confirmed', 'conflict'])
        .whereNotIn('booking_id', except)
      return rows.map(storedBooking)
    },
    waitersFor: slots => waitersFor(database, trx, slots),
    subscribers: () => registeredSubscribers(database, trx),
    async write(settlement) {
      const { id } = settlement.event
      const stored = known.get(id) ?? (await event(id))
      if (!stored) throw new Error(`There is no event ${id} to settle.`)
      await writeSettlement(database, trx, { event: stored, lane: lane.key }, settlement)
      known.delete(id)
    },
  }
}
