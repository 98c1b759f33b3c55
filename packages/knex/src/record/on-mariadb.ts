import type { NewEvent, Recorded } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { chunksOf } from '../database/chunks.js'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { sortedLanes, type Wakened, wakenedDueUs } from '../lane/wake-lanes.js'
import { answers } from './answers.js'
import { recordedColumns } from './columns.js'
import { countsOf, type Group, groupedById, groupRow, newOf } from './groups.js'
import { recordOnMysql } from './on-mysql.js'

/**
 * What `recordOnMysql` does, as one compound statement, which MySQL does not have: one way to the server and back instead of seven, on
 * the path that providers wait for.
 */
export async function recordOnMariadb(database: Database, events: NewEvent[]): Promise<Recorded[]> {
  const groups = groupedById(events)
  const rows = groups.map(groupRow)
  // More than a server takes in one statement.
  if (chunksOf(rows).length > 1) return recordOnMysql(database, events)
  const ids = groups.map(([{ id }]) => id)
  const answer = await database.knex.raw(statement(database, groups), [
    ...rows.flatMap(boundValues),
    ...lanesOf(groups).map(({ lane }) => lane),
    ...ids,
    ...ids,
    ...ids,
  ])
  const deliveries = countsIn(answer) ?? countsOf(groups)
  return answers(events, new Set(newOf(groups, deliveries).map(({ id }) => id)), deliveries)
}

const boundColumns = recordedColumns.filter(column => column !== 'due_us')

function boundValues(row: Row): Knex.RawBinding[] {
  return boundColumns.map(column => row[column] as Knex.RawBinding)
}

/**
 * Waits for a lock as briefly as MySQL can, a second, and gives the session back as it was. Which of the events are new is only looked
 * up where some of them are not: an insert counts as one row, a repeat as two.
 */
function statement({ tables: { events, lanes }, nowUs }: Database, groups: Group[]): string {
  const later = (afterMs: number) => `now_us + ${Math.round(afterMs * 1000)}`
  const row = ([{ afterMs }]: Group) =>
    `(${boundColumns.map(() => '?')}, ${afterMs > 0 ? later(afterMs) : 0})`
  const lane = ({ afterMs }: { afterMs: number }) => `(?, 'settle', '', ${later(afterMs)}, now_us, 1)`
  const wake = `INSERT INTO ${lanes} (lane, kind, subscriber, due_us, fence, wake)`
  const woken = `ON DUPLICATE KEY UPDATE wake = ${lanes}.wake + 1, due_us = ${wakenedDueUs(lanes, 'values(due_us)')}`
  const ids = groups.map(() => '?')
  const counts = groups.map(group => group.length)
  return `
    BEGIN NOT ATOMIC
      DECLARE now_us BIGINT DEFAULT ${nowUs()};
      DECLARE wait_s INT DEFAULT @@innodb_lock_wait_timeout;
      DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN
        ROLLBACK;
        SET innodb_lock_wait_timeout = wait_s;
        RESIGNAL;
      END;
      SET innodb_lock_wait_timeout = 1;
      SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
      START TRANSACTION;
      INSERT INTO ${events} (${boundColumns}, due_us) VALUES ${groups.map(row)}
        ON DUPLICATE KEY UPDATE deliveries = deliveries + values(deliveries),
          last_received_us = greatest(last_received_us, values(last_received_us));
      IF ROW_COUNT() = ${groups.length} THEN
        ${wake} VALUES ${lanesOf(groups).map(lane)} ${woken};
      ELSE
        ${wake} SELECT lane, 'settle', '', min(if(due_us = 0, now_us, due_us)), now_us, 1
          FROM ${events} WHERE id IN (${ids}) AND deliveries = elt(field(id, ${ids}), ${counts})
          GROUP BY lane ORDER BY lane ${woken};
        SELECT id, deliveries FROM ${events} WHERE id IN (${ids});
      END IF;
      COMMIT;
      SET innodb_lock_wait_timeout = wait_s;
    END`
}

function lanesOf(groups: Group[]): Pick<Wakened, 'lane' | 'afterMs'>[] {
  return sortedLanes(groups.map(([{ lane, afterMs }]) => ({ lane, kind: 'settle', subscriber: '', afterMs })))
}

/** The rows of the SELECT, if it ran: the driver brings those of each statement within, and what is said of the whole at last. */
function countsIn(answer: unknown): Map<string, number> | null {
  const [results] = answer as [Row | [Row[], ...unknown[]]]
  if (!Array.isArray(results)) return null
  return new Map(results[0].map(row => [row.id as string, Number(row.deliveries)]))
}
