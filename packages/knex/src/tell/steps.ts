import type { ClaimedLane, StoredTell } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import { insertMissing } from '../database/insert-missing.js'
import { underFence } from '../lane/fence.js'
import { parsed } from '../rows/event-row.js'

/** The results of an event's finished steps for one subscriber, by name. */
export async function finishedSteps(
  { knex, tables }: Database,
  eventId: string,
  subscriber: string,
): Promise<Map<string, unknown>> {
  const rows = await knex(tables.steps).select('name', 'result').where({ event_id: eventId, subscriber })
  return new Map(rows.map(row => [row.name, parsed(row.result)]))
}

/** Keeps a step's result, as JSON. The first result stays. */
export function saveStep(
  database: Database,
  lane: ClaimedLane,
  { eventId: event_id, subscriber }: StoredTell,
  name: string,
  result: unknown,
): Promise<void> {
  return underFence(database, lane, async trx => {
    const row = { event_id, subscriber, name, result: JSON.stringify(result ?? null) }
    await insertMissing(database, trx, database.tables.steps, ['event_id', 'subscriber', 'name'], [row])
  })
}
