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
import { requireFence, seeFence, transaction } from './transaction.js'
import { waitersFor } from './waiting.js'
import { type Wakened, wakeLanes } from './wake-lanes.js'
import { writeSettlement } from './write-settlement.js'

/**
 * Runs `work` once in one transaction under the lane's fence. The fence is looked at first and the lane locked last, together with those that
 * are woken, in one order: whoever locks its own lane first and then wants another one's, as the two halves of a move do, meets the other's
 * holder waiting for the thread. And a delivery for the lane never waits for the thread.
 */
export function settle<Result>(
  database: Database,
  lane: ClaimedLane,
  work: (transaction: SettleTransaction) => Promise<Result>,
): Promise<Result> {
  return transaction(database, async trx => {
    const { nowUs } = await seeFence(database, trx, lane)
    const wakened: Wakened[] = []
    const result = await work(settleTransaction(database, trx, lane, nowUs, wakened))
    await wakeLanes(
      database,
      trx,
      wakened.filter(one => one.lane < lane.key),
    )
    await requireFence(database, trx, lane)
    await wakeLanes(
      database,
      trx,
      wakened.filter(one => one.lane >= lane.key),
    )
    return result
  })
}

function settleTransaction(
  database: Database,
  trx: Knex.Transaction,
  lane: ClaimedLane,
  nowUs: number,
  wakened: Wakened[],
): SettleTransaction {
  // Whoever writes an event of this lane meanwhile has taken the lane over, and then nothing of this is committed.
  const known = new Map<string, StoredEvent>()
  const event = async (id: string): Promise<StoredEvent | null> => {
    const [stored] = await storedEvents(trx, database, [id])
    if (stored) known.set(id, stored)
    return stored ?? null
  }
  const wake = (one: Wakened) => void wakened.push(one)
  return {
    nowUs,
    event,
    async addEvent(added, settledHere) {
      const stored = await addEvent(database, trx, added, settledHere ? null : wake)
      known.set(stored.id, stored)
      return stored
    },
    reread: added => rereadEvent(database, trx, added, wake),
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
    async wake(eventIds) {
      const rows = await trx(database.tables.events).distinct('lane').whereIn('id', eventIds)
      for (const row of rows) wake({ lane: row.lane, kind: 'settle', subscriber: '', afterMs: 0 })
    },
    async write(settlement) {
      const { id } = settlement.event
      const stored = known.get(id) ?? (await event(id))
      if (!stored) throw new Error(`There is no event ${id} to settle.`)
      await writeSettlement(database, trx, { event: stored, lane: lane.key }, settlement)
      known.delete(id)
    },
  }
}
