import { type NewChild, type Settlement, type StoredEvent, subjectsOf } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { bookingRow } from './booking-row.js'
import { cleanText } from './clean-text.js'
import type { Database } from './database.js'
import { factColumns, jsonOrNull } from './event-row.js'
import { insertMissing } from './insert-missing.js'
import { insertTells } from './insert-tells.js'
import { joinLanes } from './join-lanes.js'
import { keepSlotStep } from './slot-steps.js'
import { writeSlots } from './write-slots.js'

/** What is settled, and where. */
export interface Site {
  /** The event as it was before. */
  event: StoredEvent
  lane: string
}

/** Writes all that one settled event brings: its row, further events, bookings, slots, waits and tells. */
export async function writeSettlement(
  database: Database,
  trx: Knex.Transaction,
  site: Site,
  settlement: Settlement,
): Promise<void> {
  const { decision } = settlement
  await writeEvent(database, trx, settlement.event)
  await writeSubjects(database, trx, site.event, settlement)
  await writeChildren(database, trx, site, settlement.children)
  if (decision) {
    await writeBookings(database, trx, site.event, decision.bookings)
    await writeSlots(database, trx, decision)
    await keepSlotStep(database, trx, settlement.event.id, decision)
    await writeWait(database, trx, site.event, settlement)
    await endWaits(database, trx, decision.noLongerWaiting)
  }
  await insertTells(database, trx, settlement.tells, '')
  await joinLanes(database, trx, settlement.laneJoins)
}

async function writeEvent(
  { tables, nowUs }: Database,
  trx: Knex.Transaction,
  event: Settlement['event'],
): Promise<void> {
  await trx(tables.events)
    .where({ id: event.id })
    .update({
      status: event.status,
      outcome: event.outcome,
      reason: cleanText(event.reason),
      type: event.type,
      booking_id: event.bookingId,
      meeting_id: event.meetingId,
      thread_id: event.threadId,
      occurred_us: event.occurredUs,
      ...factColumns(event.fact),
      told: jsonOrNull(event.told),
      // Not the time at which the transaction began: replays follow it, and a thread's events take turns only from its lock on.
      finished_us: event.status === 'waiting' ? null : trx.raw(nowUs()),
      // Of a fetch that is given up, why it failed the last time.
      ...(event.status === 'dead' ? { last_error: cleanText(event.reason) } : {}),
    })
}

async function writeSubjects(
  database: Database,
  trx: Knex.Transaction,
  { id: event_id, provider, account }: StoredEvent,
  { event: { fact }, subjects }: Settlement,
): Promise<void> {
  if (fact === null) return
  const rows = [...new Set([...subjects, ...subjectsOf(fact)])]
    .sort()
    .map(subject => ({ provider, account, subject, event_id }))
  await insertMissing(
    database,
    trx,
    database.tables.subjects,
    ['provider', 'account', 'subject', 'event_id'],
    rows,
  )
}

/** Further events of this one, born settled. One that is there already stays as it was told. */
async function writeChildren(
  database: Database,
  trx: Knex.Transaction,
  { event, lane }: Site,
  children: NewChild[],
): Promise<void> {
  const rows = children.map(child => ({
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
  }))
  await insertMissing(database, trx, database.tables.events, ['id'], rows)
}

async function writeBookings(
  { tables }: Database,
  trx: Knex.Transaction,
  { provider, account }: StoredEvent,
  bookings: NonNullable<Settlement['decision']>['bookings'],
): Promise<void> {
  for (const booking of bookings)
    await trx(tables.bookings)
      .insert(bookingRow(provider, account, booking))
      .onConflict(['provider', 'account', 'booking_id'])
      .merge()
}

/** The slots that the event waits for from now on; none where it waits no more. */
async function writeWait(
  { tables }: Database,
  trx: Knex.Transaction,
  { id: event_id, provider, account, status }: StoredEvent,
  { event, decision }: Settlement,
): Promise<void> {
  if (status === 'waiting') await trx(tables.waiting).where({ event_id }).delete()
  const wait = decision?.wait
  if (!wait) return
  const rows = wait.slots.map(({ resource, startsUs: starts_us }) => ({
    event_id,
    resource,
    starts_us,
    provider,
    account,
    booking_id: wait.bookingId,
    occurred_us: event.occurredUs,
    wanted: wait.wanted,
  }))
  await trx(tables.waiting).insert(rows)
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
