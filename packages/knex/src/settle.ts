import type { ClaimedLane, SettleTransaction } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { addEvent } from './add-event.js'
import { bookingById } from './booking-by-id.js'
import { bookingColumns, storedBooking } from './booking-row.js'
import type { Database } from './database.js'
import type { Row } from './dialect.js'
import { lockSlots } from './lock-slots.js'
import { lockThread } from './lock-thread.js'
import { eventById } from './pending-events.js'
import { rereadEvent } from './reread-event.js'
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
  return {
    nowUs,
    event: id => eventById(trx, database, id),
    addEvent: (event, settledHere) => addEvent(database, trx, event, settledHere),
    reread: event => rereadEvent(database, trx, event),
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
    write: settlement => writeSettlement(database, trx, lane.key, settlement),
  }
}
