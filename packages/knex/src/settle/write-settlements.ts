import { type Settlement, type StoredEvent, subjectsOf } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { chunksOf } from '../database/chunks.js'
import { cleanText } from '../database/clean-text.js'
import type { Database } from '../database/database.js'
import { insertMissing } from '../database/insert-missing.js'
import type { Row } from '../dialects/dialect.js'
import type { Wakened } from '../lane/wake-lanes.js'
import { bookingRow } from '../rows/booking-row.js'
import { factColumns, jsonOrNull } from '../rows/event-row.js'
import { insertTells } from '../tell/insert-tells.js'
import { slotSteps } from './slot-steps.js'
import { writeSlots } from './write-slots.js'

/** What is settled, where, and what that brings. */
export interface Site {
  /** The event as it was before. */
  event: StoredEvent
  lane: string
  settlement: Settlement
}

/** Writes all that settled events bring: their rows, further events, bookings, slots, waits and tells, but for the lanes, which are locked last: returns those to be woken.
 * They share no booking and no slot. */
export async function writeSettlements(
  database: Database,
  trx: Knex.Transaction,
  sites: Site[],
): Promise<Wakened[]> {
  const settlements = sites.map(site => site.settlement)
  const decisions = settlements.flatMap(({ decision }) => decision ?? [])
  await writeEvents(database, trx, sites)
  await writeSubjects(database, trx, sites)
  await writeChildren(database, trx, sites)
  await writeBookings(database, trx, sites)
  await writeSlots(database, trx, {
    free: decisions.flatMap(({ free }) => free),
    take: decisions.flatMap(({ take }) => take),
  })
  await writeWaits(database, trx, sites)
  for (const { noLongerWaiting } of decisions) await endWaits(database, trx, noLongerWaiting)
  return insertTells(
    database,
    trx,
    settlements.flatMap(({ tells }) => tells),
    '',
  )
}

/** The rows are there: an INSERT that turns into an update is how many rows get values of their own in one statement, on every database. */
async function writeEvents(database: Database, trx: Knex.Transaction, sites: Site[]): Promise<void> {
  const { dialect, tables, nowUs } = database
  const steps = await slotSteps(
    database,
    trx,
    sites.map(site => site.settlement),
  )
  const rows = sites.map(({ event, settlement: { event: settled } }) => ({
    ...unchanged(event),
    status: settled.status,
    outcome: settled.outcome,
    reason: cleanText(settled.reason),
    type: settled.type,
    booking_id: settled.bookingId,
    meeting_id: settled.meetingId,
    thread_id: settled.threadId,
    occurred_us: settled.occurredUs,
    ...factColumns(settled.fact),
    told: jsonOrNull(settled.told),
    // Not the time at which the transaction began: replays follow it, and a thread's events take turns only from its lock on.
    finished_us: settled.status === 'waiting' ? null : trx.raw(nowUs()),
    // Of a fetch that is given up, why it failed the last time.
    last_error: settled.status === 'dead' ? cleanText(settled.reason) : null,
    slots: steps.get(event.id) ?? null,
  }))
  const orAsBefore = (column: string) =>
    trx.raw(`coalesce(${dialect.proposed(column)}, ${tables.events}.${column})`)
  const merged: Record<string, Knex.Raw> = {
    last_error: orAsBefore('last_error'),
    slots: orAsBefore('slots'),
  }
  for (const column of settledColumns) merged[column] = trx.raw(dialect.proposed(column))
  for (const chunk of chunksOf(rows)) await trx(tables.events).insert(chunk).onConflict('id').merge(merged)
}

const settledColumns = [
  'status',
  'outcome',
  'reason',
  'type',
  'booking_id',
  'meeting_id',
  'thread_id',
  'occurred_us',
  'fact',
  'fact_details',
  'told',
  'finished_us',
] as const

/** What a row cannot be without. */
function unchanged(event: StoredEvent): Row {
  return {
    id: event.id,
    dedupe_hash: event.dedupeHash,
    dedupe_key: event.dedupeKey,
    lane: event.lane,
    provider: event.provider,
    account: event.account,
    provider_type: event.providerType,
    received_us: event.receivedUs,
    last_received_us: event.receivedUs,
    deliveries: event.deliveries,
    reading_index: event.index,
    origin: event.origin,
    due_us: 0,
  }
}

async function writeSubjects(database: Database, trx: Knex.Transaction, sites: Site[]): Promise<void> {
  const rows = sites.flatMap(
    ({ event: { id: event_id, provider, account }, settlement: { event, subjects } }) =>
      event.fact === null
        ? []
        : [...new Set([...subjects, ...subjectsOf(event.fact)])]
            .sort()
            .map(subject => ({ provider, account, subject, event_id })),
  )
  await insertMissing(
    database,
    trx,
    database.tables.subjects,
    ['provider', 'account', 'subject', 'event_id'],
    rows,
  )
}

/** Further events, born settled. One that is there already stays as it was told. */
async function writeChildren(database: Database, trx: Knex.Transaction, sites: Site[]): Promise<void> {
  const rows = sites.flatMap(({ event, lane, settlement: { children } }) =>
    children.map(child => ({
      id: child.id,
      dedupe_hash: child.dedupeHash,
      dedupe_key: cleanText(child.dedupeKey),
      lane,
      provider: event.provider,
      account: event.account,
      provider_type: event.providerType,
      type: child.type,
      booking_id: child.bookingId,
      meeting_id: child.meetingId,
      thread_id: child.threadId,
      occurred_us: child.occurredUs,
      received_us: event.receivedUs,
      last_received_us: event.receivedUs,
      deliveries: 1,
      // For the trace of the delivery, which is kept with them.
      headers: JSON.stringify(event.headers),
      parent_id: event.id,
      reading_index: 0,
      origin: 'settling',
      due_us: 0,
      status: 'settled',
      outcome: child.outcome,
      reason: cleanText(child.reason),
      told: JSON.stringify(child.told),
      finished_us: trx.raw(database.nowUs()),
    })),
  )
  await insertMissing(database, trx, database.tables.events, ['id'], rows)
}

async function writeBookings({ tables }: Database, trx: Knex.Transaction, sites: Site[]): Promise<void> {
  const rows = sites.flatMap(({ event: { provider, account }, settlement: { decision } }) =>
    (decision?.bookings ?? []).map(booking => bookingRow(provider, account, booking)),
  )
  for (const chunk of chunksOf(rows))
    await trx(tables.bookings).insert(chunk).onConflict(['provider', 'account', 'booking_id']).merge()
}

/** The slots that events wait for from now on; none where they wait no more. */
async function writeWaits({ tables }: Database, trx: Knex.Transaction, sites: Site[]): Promise<void> {
  const before = sites.filter(({ event }) => event.status === 'waiting').map(({ event }) => event.id)
  if (before.length > 0) await trx(tables.waiting).whereIn('event_id', before).delete()
  const rows = sites.flatMap(
    ({ event: { id: event_id, provider, account }, settlement: { event, decision } }) =>
      (decision?.wait?.slots ?? []).map(({ resource, startsUs: starts_us }) => ({
        event_id,
        resource,
        starts_us,
        provider,
        account,
        booking_id: decision?.wait?.bookingId,
        occurred_us: event.occurredUs,
        wanted: decision?.wait?.wanted,
      })),
  )
  for (const chunk of chunksOf(rows)) await trx(tables.waiting).insert(chunk)
}

/** Others' events whose wait ended without a slot. */
async function endWaits(
  { tables, nowUs }: Database,
  trx: Knex.Transaction,
  ended: { eventId: string; reason: string }[],
): Promise<void> {
  for (const { eventId, reason } of ended) {
    await trx(tables.waiting).where({ event_id: eventId }).delete()
    await trx(tables.events)
      .where({ id: eventId, status: 'waiting' })
      .update({ status: 'settled', reason: cleanText(reason), finished_us: trx.raw(nowUs()) })
  }
}
