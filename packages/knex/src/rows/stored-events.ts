import type { StoredEvent } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { eventColumns, storedEvent } from './event-row.js'

/** These events as they are now, in order of arrival, each with its body: its parent's where another one brought it forth. */
export async function storedEvents(
  db: Knex,
  { tables }: Pick<Database, 'tables'>,
  ids: string[],
): Promise<StoredEvent[]> {
  const rows: Row[] = await db(tables.events)
    .select(...eventColumns, 'body')
    .whereIn('id', ids)
    .orderBy('sequence')
  const known = new Map(rows.map(row => [row.id as string, row]))
  for (let parents = parentsOf(rows); parents.length > 0; ) {
    const kept: Row[] = await db(tables.events).select('id', 'parent_id', 'body').whereIn('id', parents)
    for (const row of kept) known.set(row.id as string, row)
    parents = parentsOf(kept)
  }
  return rows.map(row => storedEvent(row, bytes(bodyOf(row, known))))
}

/** Whose body is asked for next. */
function parentsOf(rows: Row[]): string[] {
  return [
    ...new Set(rows.flatMap(row => (row.body === null ? ((row.parent_id as string | null) ?? []) : []))),
  ]
}

function bodyOf(row: Row | undefined, known: ReadonlyMap<string, Row>): unknown {
  return row?.body ?? (row?.parent_id ? bodyOf(known.get(row.parent_id as string), known) : null)
}

/** A plain Uint8Array over the driver's Buffer; empty for a body that was blanked. */
function bytes(body: unknown): Uint8Array {
  return body instanceof Uint8Array
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array()
}
