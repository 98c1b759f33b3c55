import { compareFacts, type Fact, type Slot, type Waiting } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { factOf } from '../rows/event-row.js'
import { slotKey } from './lock-slots.js'
import type { Owner } from './owner.js'

export type Waiter = Waiting & { provider: string; account: string }

/** The events of these bookings that wait for their slots. */
export async function waitingOf(
  { tables }: Database,
  db: Knex,
  { provider, account }: Owner,
  bookingIds: string[],
): Promise<Waiter[]> {
  if (bookingIds.length === 0) return []
  const rows = await db(tables.waiting)
    .distinct('event_id')
    .where({ provider, account })
    .whereIn('booking_id', bookingIds)
  return waiters(tables, db, rows)
}

/** Everyone who waits for any of these slots, oldest fact first. */
export async function waitersFor({ tables }: Database, db: Knex, slots: Slot[]): Promise<Waiter[]> {
  if (slots.length === 0) return []
  const rows = await db(tables.waiting)
    .distinct('event_id')
    .whereIn(['resource', 'starts_us'], slots.map(slotKey))
  return waiters(tables, db, rows)
}

async function waiters(tables: Database['tables'], db: Knex, events: Row[]): Promise<Waiter[]> {
  if (events.length === 0) return []
  const rows: Row[] = await db(`${tables.waiting} as w`)
    .join(`${tables.events} as e`, 'e.id', 'w.event_id')
    .select('w.*', 'e.fact', 'e.fact_details')
    .whereIn(
      'w.event_id',
      events.map(row => row.event_id as string),
    )
  const byEvent = new Map<string, Waiter>()
  for (const row of rows) {
    const slot = { resource: row.resource as string, startsUs: Number(row.starts_us) }
    const waiter = byEvent.get(row.event_id as string)
    if (waiter) waiter.slots.push(slot)
    else byEvent.set(row.event_id as string, waiterOf(row, slot))
  }
  return [...byEvent.values()].sort((a, b) => compareFacts(a.fact, b.fact))
}

function waiterOf(row: Row, slot: Slot): Waiter {
  return {
    eventId: row.event_id as string,
    provider: row.provider as string,
    account: row.account as string,
    bookingId: row.booking_id as string,
    // An event waits because of its fact, so it has one.
    fact: factOf(row) as Fact,
    slots: [slot],
    wanted: row.wanted as Waiting['wanted'],
  }
}
