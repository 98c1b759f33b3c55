import type { ClaimedLane, StoredEvent } from '@booking-webhooks/core'
import type { Database } from './database.js'
import type { Row } from './dialect.js'
import { storedEvents } from './stored-events.js'

/** How many bytes one look at a lane brings, at least one row: what a worker holds in memory for each lane. */
const maxBytes = 4 * 1024 * 1024

/** The lane's unsettled events and those that wait, in order of arrival. Timed looks only once their time has come. */
export async function pendingEvents(
  { knex, tables, nowUs }: Database,
  lane: ClaimedLane,
  limit: number,
): Promise<StoredEvent[]> {
  const rows: Row[] = await knex(tables.events)
    .select('id', knex.raw('coalesce(length(body), 0) + coalesce(length(snapshot), 0) as bytes'))
    .where({ lane: lane.key })
    .whereIn('status', ['pending', 'waiting'])
    .where('due_us', '<=', knex.raw(nowUs()))
    .orderBy('sequence')
    .limit(limit)
  const ids = fitting(rows).map(row => row.id as string)
  return ids.length === 0 ? [] : storedEvents(knex, { tables }, ids)
}

/** As many rows as fit, by their `bytes`, and always the first. */
export function fitting(rows: Row[]): Row[] {
  let sum = 0
  return rows.filter((row, index) => {
    sum += Number(row.bytes)
    return index === 0 || sum <= maxBytes
  })
}
