import type { NewEvent, Recorded } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from './database.js'
import { newEventRow } from './event-row.js'
import { transaction } from './transaction.js'
import { wakeLanes } from './wake-lanes.js'

/**
 * Stores events in one commit, each with its lane; a repeat is counted on the row that is there, also one within the batch.
 * Sorted by id (the key's hash), so that two batches with the same events wait for each other instead of deadlocking.
 */
export function recordRows(database: Database, events: NewEvent[]): Promise<Recorded[]> {
  const { dialect, tables, nowUs } = database
  return transaction(database, async trx => {
    await dialect.limitLockWait(trx)
    const groups = groupedById(events)
    const rows = groups.map(([event]) => ({
      ...newEventRow(event),
      due_us: trx.raw(dueUs(nowUs(), event.afterMs)),
    }))
    const inserted = await dialect.insertMissing(trx, tables.events, ['id'], rows)
    const isNew = new Set(inserted.map(row => row.id as string))
    for (const group of groups)
      await countRepeats(database, trx, isNew.has(group[0].id) ? group.slice(1) : group)
    const lanes = groups.map(([event]) => event).filter(event => isNew.has(event.id))
    await wakeLanes(
      database,
      trx,
      lanes.map(({ lane, afterMs }) => ({ lane, kind: 'settle', subscriber: '', afterMs })),
    )
    return answers(events, isNew, await deliveriesOf(database, trx, groups))
  })
}

/** The event and, after it, its repeats within the batch. */
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

async function countRepeats({ tables }: Database, trx: Knex.Transaction, repeats: NewEvent[]): Promise<void> {
  const [one] = repeats
  if (!one) return
  const lastUs = Math.max(...repeats.map(({ receivedUs }) => receivedUs))
  await trx(tables.events)
    .where({ id: one.id })
    .update({
      deliveries: trx.raw('deliveries + ?', [repeats.length]),
      last_received_us: trx.raw('case when last_received_us < ? then ? else last_received_us end', [
        lastUs,
        lastUs,
      ]),
    })
}

/** Read back only where something was repeated: what is new came once. */
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
