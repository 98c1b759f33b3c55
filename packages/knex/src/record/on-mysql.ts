import type { NewEvent, Recorded } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { chunksOf } from '../chunks.js'
import type { Database } from '../database.js'
import { newEventRow } from '../event-row.js'
import { wakeLanes } from '../lane/wake-lanes.js'
import { transaction } from '../transaction.js'
import { answers } from './answers.js'
import { dueUs } from './due-us.js'

/**
 * Stores events in one commit, each with its lane; a repeat is counted on the row that is there, also one within the batch.
 * Sorted by id (the key's hash), so that two batches with the same events wait for each other instead of deadlocking.
 */
export function recordOnMysql(database: Database, events: NewEvent[]): Promise<Recorded[]> {
  return transaction(database, trx => waitingBriefly(trx, () => recordIn(database, trx, events)))
}

/** Whole seconds are all there is. The session is given back as it was: the pool may be the caller's own. */
async function waitingBriefly<Result>(trx: Knex.Transaction, work: () => Promise<Result>): Promise<Result> {
  await trx.raw('SET innodb_lock_wait_timeout = 1')
  try {
    return await work()
  } finally {
    await trx.raw('SET innodb_lock_wait_timeout = DEFAULT')
  }
}

async function recordIn(database: Database, trx: Knex.Transaction, events: NewEvent[]): Promise<Recorded[]> {
  const groups = groupedById(events)
  await insertOrCount(database, trx, groups)
  const deliveries = await deliveriesOf(database, trx, groups)
  // A row that was there had come at least once before.
  const fresh = groups.filter(group => deliveries.get(group[0].id) === group.length).map(([event]) => event)
  await wakeLanes(
    database,
    trx,
    fresh.map(({ lane, afterMs }) => ({ lane, kind: 'settle', subscriber: '', afterMs })),
  )
  return answers(events, new Set(fresh.map(({ id }) => id)), deliveries)
}

/** An event and, after it, its repeats within the batch. */
type Group = [NewEvent, ...NewEvent[]]

function groupedById(events: NewEvent[]): Group[] {
  const groups = new Map<string, Group>()
  for (const event of events) {
    const group = groups.get(event.id)
    if (group) group.push(event)
    else groups.set(event.id, [event])
  }
  return [...groups.values()].sort(([a], [b]) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

async function insertOrCount(
  { dialect, tables, nowUs }: Database,
  trx: Knex.Transaction,
  groups: Group[],
): Promise<void> {
  const { events } = tables
  const rows = groups.map(group => {
    const row = newEventRow(group[0])
    row.due_us = trx.raw(dueUs(nowUs(), group[0].afterMs))
    row.deliveries = group.length
    row.last_received_us = Math.max(...group.map(({ receivedUs }) => receivedUs))
    return row
  })
  const lastUs = dialect.proposed('last_received_us')
  for (const chunk of chunksOf(rows))
    await trx(events)
      .insert(chunk)
      // MySQL's ON DUPLICATE KEY UPDATE fires on any unique key; the id is the one that can clash here.
      .onConflict('id')
      .merge({
        deliveries: trx.raw(`${events}.deliveries + ${dialect.proposed('deliveries')}`),
        last_received_us: trx.raw(
          `case when ${events}.last_received_us < ${lastUs} then ${lastUs} else ${events}.last_received_us end`,
        ),
      })
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
