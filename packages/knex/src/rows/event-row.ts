import {
  type EventType,
  type Fact,
  formatInstantOrNull,
  type Instant,
  type Micros,
  type NewEvent,
  type Outcome,
  type StoredEvent,
} from '@booking-webhooks/core'
import { cleanText } from '../database/clean-text.js'
import type { Row } from '../dialects/dialect.js'

/** The columns of an event on its way into the ledger; `due_us` is left to the database's clock. */
export function newEventRow(event: NewEvent): Row {
  return {
    id: event.id,
    dedupe_hash: event.dedupeHash,
    dedupe_key: cleanText(event.dedupeKey),
    lane: event.lane,
    provider: event.provider,
    account: event.account,
    provider_type: cleanText(event.providerType, 255),
    type: event.type === null ? null : cleanText(event.type, 255),
    booking_id: event.bookingId,
    meeting_id: event.meetingId,
    occurred_us: event.occurredUs,
    received_us: event.receivedUs,
    last_received_us: event.receivedUs,
    deliveries: 1,
    parent_id: event.parentId,
    reading_index: event.index,
    unreadable: event.unreadable === null ? null : cleanText(event.unreadable),
    origin: event.origin,
    status: 'pending',
    headers: JSON.stringify(event.headers),
    body:
      event.body === null
        ? null
        : Buffer.from(event.body.buffer, event.body.byteOffset, event.body.byteLength),
  }
}

/** What is read of an event's row to make a `StoredEvent`; the body comes apart, as it may be the parent's. */
export const eventColumns = [
  'sequence',
  'id',
  'dedupe_hash',
  'dedupe_key',
  'lane',
  'provider',
  'account',
  'provider_type',
  'type',
  'booking_id',
  'meeting_id',
  'occurred_us',
  'received_us',
  'deliveries',
  'parent_id',
  'reading_index',
  'unreadable',
  'origin',
  'status',
  'outcome',
  'attempts',
  'last_error',
  'replays',
  'fact',
  'fact_details',
  'headers',
  'snapshot',
  'told',
] as const

/** An event's row as the rest of the library sees it. Texts that were blanked come back as nothing. */
export function storedEvent(row: Row, body: Uint8Array): StoredEvent {
  return {
    sequence: Number(row.sequence),
    id: row.id as string,
    dedupeHash: row.dedupe_hash as string,
    dedupeKey: row.dedupe_key as string,
    lane: row.lane as string,
    provider: row.provider as string,
    account: row.account as string,
    providerType: row.provider_type as string,
    type: row.type as EventType | null,
    bookingId: row.booking_id as string | null,
    meetingId: row.meeting_id as string | null,
    occurredUs: microsOrNull(row.occurred_us),
    receivedUs: Number(row.received_us),
    deliveries: Number(row.deliveries),
    parentId: row.parent_id as string | null,
    index: Number(row.reading_index),
    unreadable: row.unreadable as string | null,
    origin: row.origin as StoredEvent['origin'],
    status: row.status as StoredEvent['status'],
    outcome: row.outcome as Outcome | null,
    attempts: Number(row.attempts),
    lastError: row.last_error as string | null,
    replays: Number(row.replays),
    fact: factOf(row),
    headers: (parsed(row.headers) ?? {}) as Record<string, string>,
    snapshot: parsed(row.snapshot),
    told: parsed(row.told) as StoredEvent['told'],
    body,
  }
}

/** A fact in its two columns: what is kept for ever, and what names people. */
export function factColumns(fact: Fact | null): Row {
  if (fact === null) return { fact: null, fact_details: null }
  const { details, ...guestFree } = fact
  return { fact: JSON.stringify(guestFree), fact_details: details === null ? null : JSON.stringify(details) }
}

export function factOf(row: Row): Fact | null {
  const fact = parsed(row.fact) as Fact | null
  if (fact !== null) fact.details = parsed(row.fact_details) as Fact['details']
  return fact
}

/** JSON from a text column, null staying null. */
export function parsed(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : null
}

/** JSON for a text column, null (and undefined) staying null. */
export function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

/** A BIGINT column (text from some drivers), null staying null. */
export function microsOrNull(value: unknown): Micros | null {
  return value === null || value === undefined ? null : Number(value)
}

/** The instant in a BIGINT column, null staying null. */
export function instantOrNull(micros: unknown): Instant | null {
  return formatInstantOrNull(microsOrNull(micros))
}
