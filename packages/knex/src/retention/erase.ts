import type { Erasure, ErasureSubject } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { insertMissing } from '../database/insert-missing.js'
import { transaction } from '../database/transaction.js'
import type { Row } from '../dialects/dialect.js'
import { blankEvents, lockEvents } from './blank-events.js'
import { eraseFromAlerts } from './erase-from-alerts.js'
import { type BookingKey, concernedBookings, concernedEvents } from './find-guest.js'

/** One commit. */
const eventsAtOnce = 100

/** Erases what the ledger holds of a booking's guests, or of an address; what is pending is noted, and erased by `finishErasures`. */
export async function erase(
  database: Database,
  subject: ErasureSubject,
  { dropPending }: { dropPending: boolean },
): Promise<Erasure> {
  const bookings = await concernedBookings(database, subject)
  const ids = await concernedEvents(database, bookings, subject)
  let events = 0
  let waiting = 0
  for (let at = 0; at < ids.length; at += eventsAtOnce) {
    const part = ids.slice(at, at + eventsAtOnce)
    const erased = await transaction(database, async trx => {
      if (dropPending) await dropTells(database, trx, part)
      return eraseEvents(database, trx, part)
    })
    events += erased.events
    waiting += erased.waiting
  }
  for (const key of bookings) await transaction(database, trx => eraseBooking(database, trx, key))
  if ('email' in subject) await eraseFromAlerts(database, subject.email)
  return { bookings: bookings.length, events, waiting }
}

/** Erases what waited for it and is pending no more. */
export async function finishErasures(database: Database): Promise<number> {
  const { knex, tables } = database
  let erased = 0
  for (let after = ''; ; ) {
    const rows: Row[] = await knex(tables.erasures)
      .select('event_id')
      .where('event_id', '>', after)
      .orderBy('event_id')
      .limit(eventsAtOnce)
    const ids = rows.map(row => row.event_id as string)
    if (ids.length > 0) {
      const part = await transaction(database, trx => eraseEvents(database, trx, ids))
      erased += part.events
    }
    if (ids.length < eventsAtOnce) return erased
    after = ids.at(-1) ?? after
  }
}

/** Erases those of these events that are not pending, with the details of their bookings, and notes the others. */
async function eraseEvents(
  database: Database,
  trx: Knex.Transaction,
  ids: string[],
): Promise<{ events: number; waiting: number }> {
  const { tables, nowUs } = database
  const locked = await lockEvents(database, trx, ids)
  const toldStill: Row[] = await trx(tables.tells)
    .distinct('event_id')
    .whereIn('event_id', ids)
    .where({ status: 'pending' })
  const isToldStill = new Set(toldStill.map(row => row.event_id))
  const isPending = (row: Row) =>
    row.status === 'pending' || row.status === 'waiting' || isToldStill.has(row.id)
  const over = locked.filter(row => !isPending(row))
  const pending = locked.filter(isPending)
  await blankEvents(
    database,
    trx,
    over.map(row => row.id as string),
    trx.raw(nowUs()),
  )
  for (const { provider, account, booking_id } of over)
    if (booking_id !== null)
      await eraseBooking(database, trx, { provider, account, booking_id } as BookingKey)
  const left = pending.map(row => ({ event_id: row.id as string }))
  await trx(tables.erasures)
    .whereIn(
      'event_id',
      ids.filter(id => !left.some(row => row.event_id === id)),
    )
    .delete()
  await insertMissing(database, trx, tables.erasures, ['event_id'], left)
  return { events: over.filter(isShown).length, waiting: pending.filter(isShown).length }
}

/** A timed second look is nobody's event, though its answer may name a guest. */
function isShown({ origin }: Row): boolean {
  return origin !== 'look'
}

async function eraseBooking(
  { tables, nowUs }: Database,
  trx: Knex.Transaction,
  key: BookingKey,
): Promise<void> {
  await trx(tables.bookings)
    .where(key)
    .update({ details: null, erased_us: trx.raw(nowUs()) })
}

/** What subscribers are still to be told is taken back; what is still to be decided is decided first. */
async function dropTells({ tables }: Database, trx: Knex.Transaction, ids: string[]): Promise<void> {
  await trx(tables.tells).whereIn('event_id', ids).where({ status: 'pending' }).delete()
}
