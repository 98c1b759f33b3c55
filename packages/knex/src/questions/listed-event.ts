import { type EventRow, formatInstant, type TellRow } from '@booking-webhooks/core'
import type { Row } from '../dialects/dialect.js'
import { instantOrNull } from '../rows/event-row.js'

/** What a listing and an explanation both read of an event. */
export const listedEventColumns = [
  'sequence',
  'id',
  'type',
  'provider_type',
  'booking_id',
  'meeting_id',
  'occurred_us',
  'received_us',
  'last_received_us',
  'deliveries',
  'status',
  'outcome',
  'reason',
  'attempts',
  'last_error',
  'replays',
] as const

/** What both read of a tell. */
export const listedTellColumns = ['subscriber', 'status', 'attempts', 'last_error'] as const

/** When it happened, and when and how often it came. */
export function arrivalOf(
  row: Row,
): Pick<EventRow, 'occurredAt' | 'receivedAt' | 'lastReceivedAt' | 'deliveries'> {
  return {
    occurredAt: instantOrNull(row.occurred_us),
    receivedAt: formatInstant(Number(row.received_us)),
    lastReceivedAt: formatInstant(Number(row.last_received_us)),
    deliveries: Number(row.deliveries),
  }
}

/** As `filterEvents` sees it, but for what is blank. `tells`: the latest of each subscriber. */
export function statusOf(row: Row, tells: Pick<TellRow, 'status'>[]): EventRow['status'] {
  if (row.status === 'waiting') return 'waiting'
  if (row.status === 'dead' || tells.some(tell => tell.status === 'dead')) return 'dead'
  return row.status === 'pending' || tells.some(tell => tell.status === 'pending') ? 'pending' : 'done'
}

/** How a tell stands. */
export function standingOf(row: Row): Pick<TellRow, 'status' | 'attempts' | 'lastError'> {
  return {
    status: row.status as TellRow['status'],
    attempts: Number(row.attempts),
    lastError: row.last_error as string | null,
  }
}
