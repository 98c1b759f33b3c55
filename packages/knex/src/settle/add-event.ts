import type { NewEvent, StoredEvent } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { insertMissing } from '../database/insert-missing.js'
import type { Wakened } from '../lane/wake-lanes.js'
import { newEventRow } from '../rows/event-row.js'
import { storedEvents } from '../rows/stored-events.js'

/** A further event within a transaction that settles another one: a new row, whose lane is to be woken, or the row that was there. */
export async function addEvent(
  database: Database,
  trx: Knex.Transaction,
  event: NewEvent,
  wake: ((lane: Wakened) => void) | null,
): Promise<StoredEvent> {
  const { tables, nowUs } = database
  const row = { ...newEventRow(event), due_us: trx.raw(dueUs(nowUs(), event.afterMs)) }
  const [known] = await storedEvents(trx, database, [event.id])
  if (known) return known
  await insertMissing(database, trx, tables.events, ['id'], [row])
  wake?.({ lane: event.lane, kind: 'settle', subscriber: '', afterMs: event.afterMs })
  const [stored] = await storedEvents(trx, database, [event.id])
  if (!stored) throw new Error(`The event ${event.id} was stored and is not there.`)
  return stored
}

/** When an event may be looked at, as SQL: at once (0), or later by so many milliseconds. */
function dueUs(nowUs: string, afterMs: number): string {
  return afterMs > 0 ? `${nowUs} + ${Math.round(afterMs * 1000)}` : '0'
}
