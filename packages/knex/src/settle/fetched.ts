import type { ClaimedLane } from '@booking-webhooks/core'
import { cleanText } from '../database/clean-text.js'
import type { Database } from '../database/database.js'
import { underFence } from '../lane/fence.js'
import { jsonOrNull } from '../rows/event-row.js'

/** Keeps what a fetch brought, before it is used. */
export function saveSnapshot(
  database: Database,
  lane: ClaimedLane,
  eventId: string,
  snapshot: unknown,
): Promise<void> {
  return underFence(database, lane, async trx => {
    await trx(database.tables.events)
      .where({ id: eventId })
      .update({ snapshot: jsonOrNull(snapshot), last_error: null })
  })
}

/** Keeps why a fetch failed, and counts the try where it says something about this event. */
export function fetchFailed(
  database: Database,
  lane: ClaimedLane,
  eventId: string,
  failure: { error: string; counts: boolean },
): Promise<void> {
  return underFence(database, lane, async trx => {
    await trx(database.tables.events)
      .where({ id: eventId })
      .update({
        last_error: cleanText(failure.error),
        attempts: trx.raw('attempts + ?', [failure.counts ? 1 : 0]),
      })
  })
}
