import type { NewEvent, Recorded } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import { prepared } from '../database/prepared.js'
import type { Row } from '../dialects/dialect.js'
import { wakenedDueUs } from '../lane/wake-lanes.js'
import { newEventRow } from '../rows/event-row.js'
import { answers } from './answers.js'
import { recordedColumns } from './columns.js'

/** The longest wait for a row that another transaction holds while storing, in milliseconds. */
export const lockWaitMs = 250

/**
 * What `recordOnMysql` does, in one statement, which is its own transaction: one way to the server and back instead of seven, and no query to be
 * built for each batch, on the path that providers wait for.
 */
export async function recordOnPostgres(database: Database, events: NewEvent[]): Promise<Recorded[]> {
  const batches = new Map<string, Batched>()
  for (const event of events) {
    const batched = batches.get(event.id)
    if (batched) {
      batched.deliveries += 1
      batched.last_received_us = Math.max(batched.last_received_us, event.receivedUs)
    } else batches.set(event.id, batchedRow(event))
  }
  const rows = database.dialect.rows(await run(database, [JSON.stringify([...batches.values()], wellFormed)]))
  const deliveries = new Map(rows.map(row => [row.id as string, Number(row.deliveries)]))
  // A row that was there had come at least once before.
  const isNew = new Set(
    [...batches].flatMap(([id, row]) => (deliveries.get(id) === row.deliveries ? id : [])),
  )
  return answers(events, isNew, deliveries)
}

/** A clock that was handed in stands in the text, which is then another one each time: nothing to be kept prepared. */
function run(database: Database, bindings: string[]): Promise<unknown> {
  const { knex, dialect, nowUs } = database
  const sql = statement(database)
  return nowUs() === dialect.nowUs ? prepared(knex, sql, bindings) : knex.raw(sql, bindings)
}

/** An event with its repeats within the batch, as JSON has it: bytes in base64. */
type Batched = Row & { deliveries: number; last_received_us: number }

function batchedRow(event: NewEvent): Batched {
  const row = newEventRow(event)
  // Not a copy with other values: a spread of twenty fields costs more than all else here.
  if (Buffer.isBuffer(row.body)) row.body = row.body.toString('base64')
  row.due_us = Math.round(event.afterMs * 1000)
  return row as Batched
}

/** Half a surrogate pair is no text, in JSON neither; a driver would write U+FFFD for it. */
function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value
}

/** `due_us` comes as how much later than now; rows are written in the order of their keys, as everybody does. */
function statement({ tables: { events, lanes }, nowUs }: Database): string {
  const values: Partial<Record<string, string>> = {
    due_us: `CASE WHEN due_us > 0 THEN ${nowUs()} + due_us ELSE 0 END`,
    body: `decode(body, 'base64')`,
  }
  return `
    WITH incoming AS MATERIALIZED (
      SELECT event.* FROM (SELECT set_config('lock_timeout', '${lockWaitMs}', true)) AS brief,
        json_to_recordset(?::json) AS event(${recordedColumns.map(column => `${column} ${types[column] ?? 'text'}`)})
    ), recorded AS (
      INSERT INTO ${events} (${recordedColumns})
      SELECT ${recordedColumns.map(column => values[column] ?? column)} FROM incoming ORDER BY id COLLATE "C"
      ON CONFLICT (id) DO UPDATE SET deliveries = ${events}.deliveries + excluded.deliveries,
        last_received_us = greatest(${events}.last_received_us, excluded.last_received_us)
      RETURNING id, lane, deliveries
    ), woken AS (
      INSERT INTO ${lanes} (lane, kind, subscriber, due_us, fence, wake)
      SELECT recorded.lane, 'settle', '', ${nowUs()} + min(incoming.due_us), ${nowUs()}, 1
      FROM recorded JOIN incoming USING (id) WHERE recorded.deliveries = incoming.deliveries
      GROUP BY recorded.lane ORDER BY recorded.lane
      ON CONFLICT (lane) DO UPDATE SET wake = ${lanes}.wake + 1, due_us = ${wakenedDueUs(lanes, 'excluded.due_us')}
    )
    SELECT id, deliveries FROM recorded`
}

const types: Partial<Record<string, string>> = {
  occurred_us: 'bigint',
  received_us: 'bigint',
  last_received_us: 'bigint',
  deliveries: 'integer',
  reading_index: 'integer',
  due_us: 'bigint',
}
