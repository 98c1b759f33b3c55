import type { NewEvent, Recorded } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { prepared } from '../database/prepared.js'
import type { Row } from '../dialects/dialect.js'
import { wakenedDueUs } from '../lane/wake-lanes.js'
import { answers } from './answers.js'
import { recordedColumns } from './columns.js'
import { type Group, groupedById, groupRow, newOf } from './groups.js'

/** The longest wait for a row that another transaction holds while storing, in milliseconds. */
export const lockWaitMs = 250

/**
 * What `recordOnMysql` does, in one statement, which is its own transaction: one way to the server and back instead of seven, and no query to be
 * built for each batch, on the path that providers wait for.
 */
export async function recordOnPostgres(database: Database, events: NewEvent[]): Promise<Recorded[]> {
  const groups = groupedById(events)
  const { rows, bodies } = apart(groups)
  const answer = database.dialect.rows(await run(database, [JSON.stringify(rows, wellFormed), bodies]))
  const deliveries = new Map(answer.map(row => [row.id as string, Number(row.deliveries)]))
  return answers(events, new Set(newOf(groups, deliveries).map(({ id }) => id)), deliveries)
}

/** A clock that was handed in stands in the text, which is then another one each time: nothing to be kept prepared. */
function run(database: Database, bindings: Knex.RawBinding[]): Promise<unknown> {
  const { knex, dialect, nowUs } = database
  const sql = statement(database)
  return nowUs() === dialect.nowUs ? prepared(knex, sql, bindings) : knex.raw(sql, bindings)
}

/** The rows for JSON, and their bodies one after another as the bytes that they are: in JSON, as base64, they were most of what it took to read it. */
function apart(groups: Group[]): { rows: Row[]; bodies: Buffer } {
  const bodies: Buffer[] = []
  let end = 0
  const rows = groups.map(group => {
    const row = groupRow(group)
    row.due_us = Math.round(group[0].afterMs * 1000)
    const { body } = row as { body: Buffer | null }
    // Not a copy with other values: a spread of twenty fields costs more than all else here.
    row.body = undefined
    if (body) {
      row.body_start = end + 1
      row.body_length = body.byteLength
      bodies.push(body)
      end += body.byteLength
    }
    return row
  })
  return { rows, bodies: Buffer.concat(bodies, end) }
}

/** Half a surrogate pair is no text, in JSON neither; a driver would write U+FFFD for it. */
function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value
}

/** `due_us` comes as how much later than now; rows are written in the order of their keys, as everybody does. */
function statement({ tables: { events, lanes }, nowUs }: Database): string {
  const values: Partial<Record<string, string>> = {
    due_us: `CASE WHEN due_us > 0 THEN ${nowUs()} + due_us ELSE 0 END`,
    body: 'substring(?::bytea FROM body_start FOR body_length)',
  }
  return `
    WITH incoming AS MATERIALIZED (
      SELECT event.* FROM (SELECT set_config('lock_timeout', '${lockWaitMs}', true)) AS brief,
        json_to_recordset(?::json) AS event(${incomingColumns.map(column => `${column} ${types[column] ?? 'text'}`)})
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

const incomingColumns = [...recordedColumns.filter(column => column !== 'body'), 'body_start', 'body_length']

const types: Partial<Record<string, string>> = {
  occurred_us: 'bigint',
  received_us: 'bigint',
  last_received_us: 'bigint',
  deliveries: 'integer',
  reading_index: 'integer',
  due_us: 'bigint',
  body_start: 'integer',
  body_length: 'integer',
}
