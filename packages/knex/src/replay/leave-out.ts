import type { ClaimedLane, StoredTell } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import { underFence } from '../lane/fence.js'

/** Takes back a tell that was overtaken before it ran. */
export function leaveOut(
  database: Database,
  lane: ClaimedLane,
  { eventId: event_id, subscriber, replay }: StoredTell,
): Promise<void> {
  const { tables } = database
  return underFence(database, lane, async trx => {
    const row = { event_id, subscriber, replay, status: 'pending' }
    // Counted first: not every driver says how many a DELETE took.
    const left = (await trx(tables.tells).select('event_id').where(row)).length
    await trx(tables.tells).where(row).delete()
    await trx(tables.replays)
      .where({ id: replay })
      .update({ left_late: trx.raw('left_late + ?', [left]) })
  })
}
