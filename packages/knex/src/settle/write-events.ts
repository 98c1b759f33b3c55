import type { StoredEvent } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { chunksOf } from '../database/chunks.js'
import { cleanText } from '../database/clean-text.js'
import type { Database } from '../database/database.js'
import { insertMissing } from '../database/insert-missing.js'
import type { Row } from '../dialects/dialect.js'
import { factColumns, jsonOrNull } from '../rows/event-row.js'
import type { Site } from './site.js'
import { slotSteps } from './slot-steps.js'

/** Writes how events are settled. Their rows are there: an INSERT that turns into an update is how many rows get values of their own in one statement, on every database. */
export async function writeEvents(database: Database, trx: Knex.Transaction, sites: Site[]): Promise<void> {
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

/** Writes further events, born settled. One that is there already stays as it was told. */
export async function writeChildren(database: Database, trx: Knex.Transaction, sites: Site[]): Promise<void> {
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
