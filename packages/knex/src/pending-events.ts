import type { ClaimedLane, StoredEvent } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from './database.js'
import type { Row } from './dialect.js'
import { eventColumns, storedEvent } from './event-row.js'

/** How many bytes of bodies one look at a lane brings, at least one event: what a worker holds in memory for each lane. */
const maxBytes = 4 * 1024 * 1024

/** The lane's unsettled events and those that wait, in order of arrival. Timed looks only once their time has come. */
export async function pendingEvents(
  { knex, tables, nowUs }: Database,
  lane: ClaimedLane,
  limit: number,
): Promise<StoredEvent[]> {
  const rows: Row[] = await knex(tables.events)
    .select(...eventColumns, knex.raw('coalesce(length(body), 0) + coalesce(length(snapshot), 0) as bytes'))
    .where({ lane: lane.key })
    .whereIn('status', ['pending', 'waiting'])
    .where('due_us', '<=', knex.raw(nowUs()))
    .orderBy('sequence')
    .limit(limit)
  return withBodies(knex, tables.events, within(rows, maxBytes))
}

/** One event as it is now; null where there is none. */
export async function eventById(db: Knex, { tables }: Database, id: string): Promise<StoredEvent | null> {
  const rows: Row[] = await db(tables.events)
    .select(...eventColumns)
    .where({ id })
  return (await withBodies(db, tables.events, rows))[0] ?? null
}

/** As many rows as fit, by their `bytes`, and always the first. */
export function within(rows: Row[], bytes: number): Row[] {
  let sum = 0
  return rows.filter((row, index) => {
    sum += Number(row.bytes)
    return index === 0 || sum <= bytes
  })
}

/** An event that another one brought forth has that one's body. One that was blanked comes back empty. */
async function withBodies(db: Knex, events: string, rows: Row[]): Promise<StoredEvent[]> {
  const known = new Map<string, Row>()
  for (let ids = rows.map(row => row.id as string); ids.length > 0; ) {
    const kept: Row[] = await db(events)
      .select('id', 'parent_id', 'body')
      .whereIn('id', [...new Set(ids)])
    for (const row of kept) known.set(row.id as string, row)
    ids = kept.flatMap(row => (row.body === null ? ((row.parent_id as string | null) ?? []) : []))
  }
  const bodyOf = (row: Row | undefined): unknown =>
    row?.body ?? (row?.parent_id ? bodyOf(known.get(row.parent_id as string)) : null)
  return rows.map(row => storedEvent(row, bytes(bodyOf(known.get(row.id as string)))))
}

/** A plain Uint8Array over the driver's Buffer. */
function bytes(body: unknown): Uint8Array {
  return body instanceof Uint8Array
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array()
}
