import type { NewEvent, Recorded } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { chunksOf } from '../database/chunks.js'
import type { Database } from '../database/database.js'
import { executed } from '../database/executed.js'
import type { Row } from '../dialects/dialect.js'
import { sortedLanes, type Wakened, wakenedDueUs } from '../lane/wake-lanes.js'
import { answers } from './answers.js'
import { recordedColumns } from './columns.js'
import { countsOf, type Group, groupedById, groupRow, newOf } from './groups.js'
import { recordOnMysql } from './on-mysql.js'
import { portioned, portionsFor } from './portions.js'

/**
 * What `recordOnMysql` does, as one compound statement, which MySQL does not have: one way to the server and back instead of seven, on
 * the path that providers wait for.
 */
export async function recordOnMariadb(database: Database, events: NewEvent[]): Promise<Recorded[]> {
  const groups = groupedById(events)
  const rows = groups.map(groupRow)
  // More than a server takes in one statement.
  if (chunksOf(rows).length > 1) return recordOnMysql(database, events)
  const portions = portionsFor(groups.length)
  const answer = await run(database, statement(database, portions), bindings(groups, rows, portions))
  const deliveries = countsIn(answer) ?? countsOf(groups)
  return answers(events, new Set(newOf(groups, deliveries).map(({ id }) => id)), deliveries)
}

/** A clock that was handed in stands in the text, which is then another one each time: nothing to be kept prepared. */
function run({ knex, dialect, nowUs }: Database, sql: string, bindings: Knex.RawBinding[]): Promise<unknown> {
  return nowUs() === dialect.nowUs ? executed(knex, sql, bindings) : knex.raw(sql, bindings)
}

const boundColumns = recordedColumns.filter(column => column !== 'due_us')

/** As they stand in the statement; what a batch leaves of its room is null. */
function bindings(groups: Group[], rows: Row[], portions: number[]): Knex.RawBinding[] {
  const values = groups.map(([{ afterMs }], index) => [
    // The driver binds no undefined.
    ...boundColumns.map(column => (rows[index]?.[column] ?? null) as Knex.RawBinding),
    afterMs > 0 ? microsOf(afterMs) : null,
  ])
  const lanes = lanesOf(groups).map(({ lane, afterMs }) => [lane, microsOf(afterMs)])
  const ids = portioned(
    portions,
    groups.map(([{ id }]) => [id]),
  )
  const counts = portioned(
    portions,
    groups.map(group => [group.length]),
  )
  // Spread: Node takes ten times as long for flatMap().
  return [
    values.length,
    lanes.length,
    ...portioned(portions, values),
    ...portioned(portions, lanes),
    ...ids,
    ...ids,
    ...counts,
    ...ids,
  ]
}

const microsOf = (ms: number) => Math.round(ms * 1000)

/**
 * Waits for a lock as briefly as MySQL can, a second, and gives the session back as it was. Which of the events are new is only looked
 * up where some of them are not: an insert counts as one row, a repeat as two.
 */
function statement({ tables: { events, lanes }, nowUs }: Database, portions: number[]): string {
  const insert = (size: number) => `
      IF event_count & ${size} THEN
        INSERT INTO ${events} (${boundColumns}, due_us)
          VALUES ${times(size, `(${boundColumns.map(() => '?')}, coalesce(now_us + ?, 0))`)}
          ON DUPLICATE KEY UPDATE deliveries = deliveries + values(deliveries),
            last_received_us = greatest(last_received_us, values(last_received_us));
        SET written = written + ROW_COUNT();
      END IF;`
  const wake = `INSERT INTO ${lanes} (lane, kind, subscriber, due_us, fence, wake)`
  const woken = `ON DUPLICATE KEY UPDATE wake = ${lanes}.wake + 1, due_us = ${wakenedDueUs(lanes, 'values(due_us)')}`
  const wakeFew = (size: number) => `
        IF lane_count & ${size} THEN
          ${wake} VALUES ${times(size, "(?, 'settle', '', now_us + ?, now_us, 1)")} ${woken};
        END IF;`
  const all = portions.flatMap(size => times(size, '?'))
  return `
    BEGIN NOT ATOMIC
      DECLARE event_count INT DEFAULT ?;
      DECLARE lane_count INT DEFAULT ?;
      DECLARE written INT DEFAULT 0;
      DECLARE now_us BIGINT DEFAULT ${nowUs()};
      DECLARE wait_s INT DEFAULT @@innodb_lock_wait_timeout;
      DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN
        ROLLBACK;
        SET innodb_lock_wait_timeout = wait_s;
        RESIGNAL;
      END;
      SET innodb_lock_wait_timeout = 1;
      SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
      START TRANSACTION;${portions.map(insert).join('')}
      IF written = event_count THEN${portions.map(wakeFew).join('')}
      ELSE
        ${wake} SELECT lane, 'settle', '', min(if(due_us = 0, now_us, due_us)), now_us, 1
          FROM ${events} WHERE id IN (${all}) AND deliveries = elt(field(id, ${all}), ${all})
          GROUP BY lane ORDER BY lane ${woken};
        SELECT id, deliveries FROM ${events} WHERE id IN (${all});
      END IF;
      COMMIT;
      SET innodb_lock_wait_timeout = wait_s;
    END`
}

const times = (count: number, sql: string) => Array<string>(count).fill(sql)

function lanesOf(groups: Group[]): Pick<Wakened, 'lane' | 'afterMs'>[] {
  return sortedLanes(groups.map(([{ lane, afterMs }]) => ({ lane, kind: 'settle', subscriber: '', afterMs })))
}

/** The rows of the SELECT, if it ran: the driver brings those of each statement within, and what is said of the whole at last. */
function countsIn(answer: unknown): Map<string, number> | null {
  const [results] = answer as [Row | [Row[], ...unknown[]]]
  if (!Array.isArray(results)) return null
  return new Map(results[0].map(row => [row.id as string, Number(row.deliveries)]))
}
