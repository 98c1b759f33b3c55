import type { NewEvent, Recorded } from '@booking-webhooks/core'
import type { Database as Connection, Statement } from 'better-sqlite3'
import type { Database } from '../database/database.js'
import { wakenedDueUs } from '../lane/wake-lanes.js'
import { newEventRow } from '../rows/event-row.js'
import { answers } from './answers.js'
import { recordedColumns } from './columns.js'

/**
 * What `recordOnMysql` does, with prepared statements on the driver itself: building a query for each row costs more than SQLite's own work,
 * and this is the path that providers wait for.
 */
export async function recordOnSqlite(database: Database, events: NewEvent[]): Promise<Recorded[]> {
  const { client } = database.knex
  const connection: Connection = await client.acquireConnection()
  try {
    const statements = statementsFor(connection, database)
    return connection.transaction(() => recordAll(connection, statements, database, events)).immediate()
  } finally {
    await client.releaseConnection(connection)
  }
}

function recordAll(
  connection: Connection,
  { record, wake }: Statements,
  { nowUs }: Database,
  events: NewEvent[],
): Recorded[] {
  const now = connection.prepare(`SELECT ${nowUs()}`).pluck().get() as number
  const isNew = new Set<string>()
  const deliveries = new Map<string, number>()
  for (const event of events) {
    const laterUs = Math.round(event.afterMs * 1000)
    const row = newEventRow(event)
    row.due_us = laterUs > 0 ? now + laterUs : 0
    const counted = record.get(row) as number
    deliveries.set(event.id, counted)
    if (counted > 1) continue
    isNew.add(event.id)
    wake.run({ lane: event.lane, now, due_us: now + laterUs })
  }
  return answers(events, isNew, deliveries)
}

interface Statements {
  record: Statement
  wake: Statement
}

/** Prepared once for each connection and prefix. */
const prepared = new WeakMap<Connection, Map<string, Statements>>()

function statementsFor(connection: Connection, { tables }: Database): Statements {
  const ofConnection = prepared.get(connection) ?? new Map<string, Statements>()
  prepared.set(connection, ofConnection)
  const known = ofConnection.get(tables.prefix)
  if (known) return known
  const made = prepare(connection, tables)
  ofConnection.set(tables.prefix, made)
  return made
}

function prepare(connection: Connection, { events, lanes }: Database['tables']): Statements {
  return {
    record: connection
      .prepare(
        `INSERT INTO ${events} (${recordedColumns.join(', ')}) VALUES (${recordedColumns.map(column => `@${column}`).join(', ')})
         ON CONFLICT (id) DO UPDATE
         SET deliveries = deliveries + 1, last_received_us = max(last_received_us, @last_received_us)
         RETURNING deliveries`,
      )
      .pluck(),
    wake: connection.prepare(
      `INSERT INTO ${lanes} (lane, kind, subscriber, due_us, fence, wake)
       VALUES (@lane, 'settle', '', @due_us, @now, 1)
       ON CONFLICT (lane) DO UPDATE SET wake = wake + 1, due_us = ${wakenedDueUs(lanes, 'excluded.due_us')}`,
    ),
  }
}
