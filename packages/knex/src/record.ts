import type { NewEvent, Recorded } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { chunksOf } from './chunks.js'
import type { Database } from './database.js'
import { newEventRow } from './event-row.js'
import { wakeLanes } from './lane/wake-lanes.js'
import { transaction } from './transaction.js'

/**
 * Stores events in one commit, each with its lane; a repeat is counted on the row that is there, also one within the batch.
 * Sorted by id (the key's hash), so that two batches with the same events wait for each other instead of deadlocking.
 */
export function recordRows(database: Database, events: NewEvent[]): Promise<Recorded[]> {
  return transaction(database, trx =>
    database.dialect.waitingBriefly(trx, () => recordIn(database, trx, events)),
  )
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
  const rows = groups.map(group => ({
    ...newEventRow(group[0]),
    due_us: trx.raw(dueUs(nowUs(), group[0].afterMs)),
    deliveries: group.length,
    last_received_us: Math.max(...group.map(({ receivedUs }) => receivedUs)),
  }))
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

/** In the order of the request; of repeats within the batch the first one is the new row. */
export function answers(
  events: NewEvent[],
  isNew: ReadonlySet<string>,
  deliveries: ReadonlyMap<string, number>,
): Recorded[] {
  const seen = new Set<string>()
  return events.map(({ id }) => {
    const isFirst = !seen.has(id)
    seen.add(id)
    return { id, isNew: isFirst && isNew.has(id), deliveries: deliveries.get(id) ?? 1 }
  })
}

/** When an event may be looked at, as SQL: at once (0), or later by so many milliseconds. */
export function dueUs(nowUs: string, afterMs: number): string {
  return afterMs > 0 ? `${nowUs} + ${Math.round(afterMs * 1000)}` : '0'
}
