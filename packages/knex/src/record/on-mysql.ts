import type { NewEvent, Recorded } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { chunksOf } from '../database/chunks.js'
import type { Database } from '../database/database.js'
import { transaction } from '../database/transaction.js'
import { sortedLanes, wakenedDueUs } from '../lane/wake-lanes.js'
import { answers } from './answers.js'
import { recordedColumns } from './columns.js'
import { countsOf, type Group, groupedById, groupRow, newOf } from './groups.js'

/** Stores events in one commit, each with its lane; a repeat is counted on the row that is there, also one within the batch. */
export function recordOnMysql(database: Database, events: NewEvent[]): Promise<Recorded[]> {
  return transaction(database, trx => waitingBriefly(trx, () => recordIn(database, trx, events)))
}

/** Whole seconds are all there is. The session is given back as it was: the pool may be the caller's own. */
async function waitingBriefly<Result>(trx: Knex.Transaction, work: () => Promise<Result>): Promise<Result> {
  await trx.raw('SET @booking_webhooks_wait = @@innodb_lock_wait_timeout, innodb_lock_wait_timeout = 1')
  try {
    return await work()
  } finally {
    await trx.raw('SET innodb_lock_wait_timeout = @booking_webhooks_wait')
  }
}

async function recordIn(database: Database, trx: Knex.Transaction, events: NewEvent[]): Promise<Recorded[]> {
  const groups = groupedById(events)
  const areNew = await insertOrCount(database, trx, groups)
  const deliveries = areNew ? countsOf(groups) : await deliveriesOf(database, trx, groups)
  const fresh = newOf(groups, deliveries)
  await wakeSettleLanes(database, trx, fresh)
  return answers(events, new Set(fresh.map(({ id }) => id)), deliveries)
}

/**
 * True where each of them is a new row, which MySQL counts as one and a repeat as two. The statement is written out: building it costs more than
 * it takes, and this is the path that providers wait for.
 */
async function insertOrCount(
  { tables: { events }, nowUs }: Database,
  trx: Knex.Transaction,
  groups: Group[],
): Promise<boolean> {
  const rows = groups.map(group => {
    const row = groupRow(group)
    row.due_us = Math.round(group[0].afterMs * 1000)
    return row
  })
  const values = `(${recordedColumns.map(column => (column === 'due_us' ? `if(? > 0, ${nowUs()} + ?, 0)` : '?'))})`
  let affected = 0
  for (const chunk of chunksOf(rows)) {
    const [result] = await trx.raw(
      // ON DUPLICATE KEY UPDATE fires on any unique key; the id is the one that can clash here.
      `INSERT INTO ${events} (${recordedColumns}) VALUES ${chunk.map(() => values)}
       ON DUPLICATE KEY UPDATE deliveries = deliveries + values(deliveries),
         last_received_us = greatest(last_received_us, values(last_received_us))`,
      chunk.flatMap(row =>
        recordedColumns.flatMap(column => (column === 'due_us' ? [row.due_us, row.due_us] : [row[column]])),
      ) as Knex.RawBinding[],
    )
    affected += (result as { affectedRows: number }).affectedRows
  }
  return affected === rows.length
}

/** `wakeLanes` for the lanes of events that are new, written out for the same reason. */
async function wakeSettleLanes(
  { tables: { lanes }, nowUs }: Database,
  trx: Knex.Transaction,
  events: NewEvent[],
): Promise<void> {
  const rows = sortedLanes(
    events.map(({ lane, afterMs }) => ({ lane, kind: 'settle', subscriber: '', afterMs })),
  )
  if (rows.length === 0) return
  const values = `(?, 'settle', '', ${nowUs()} + ?, ${nowUs()}, 1)`
  await trx.raw(
    `INSERT INTO ${lanes} (lane, kind, subscriber, due_us, fence, wake) VALUES ${rows.map(() => values)}
     ON DUPLICATE KEY UPDATE wake = wake + 1, due_us = ${wakenedDueUs(lanes, 'values(due_us)')}`,
    rows.flatMap(({ lane, afterMs }) => [lane, Math.round(afterMs * 1000)]),
  )
}

async function deliveriesOf(
  { tables }: Database,
  trx: Knex.Transaction,
  groups: Group[],
): Promise<Map<string, number>> {
  const rows = await trx(tables.events)
    .select('id', 'deliveries')
    .whereIn(
      'id',
      groups.map(([{ id }]) => id),
    )
  return new Map(rows.map(row => [row.id, Number(row.deliveries)]))
}
