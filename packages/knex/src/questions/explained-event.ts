import type { BookingEvent, ExplainedEvent, ExplainedTell } from '@booking-webhooks/core'
import type { Row } from '../dialects/dialect.js'
import { instantOrNull, parsed } from '../rows/event-row.js'
import { slotStepsIn } from '../settle/slot-steps.js'
import { arrivalOf, listedEventColumns, listedTellColumns, standingOf, statusOf } from './listed-event.js'

/** What `explainedEvent` reads. */
export const explainedColumns = [
  ...listedEventColumns,
  'origin',
  'parent_id',
  'thread_id',
  'finished_us',
  'erased_us',
  'slots',
  'fact',
  'told',
] as const

/** An event with its tells, of all replays too, as people see it. */
export function explainedEvent(row: Row, tells: ExplainedTell[]): ExplainedEvent {
  const told = parsed(row.told) as BookingEvent | null
  const newest = new Map(tells.map(tell => [tell.subscriber, tell]))
  return {
    id: row.id as string,
    type: row.type as ExplainedEvent['type'],
    providerType: row.provider_type as string,
    origin: row.origin as ExplainedEvent['origin'],
    parentId: row.parent_id as string | null,
    bookingId: row.booking_id as string | null,
    meetingId: row.meeting_id as string | null,
    threadId: row.thread_id as string | null,
    ...arrivalOf(row),
    status: statusOf(row, [...newest.values()]),
    outcome: row.outcome as ExplainedEvent['outcome'],
    reason: row.reason as string | null,
    settledAt: instantOrNull(row.finished_us),
    attempts: Number(row.attempts),
    lastError: row.last_error as string | null,
    replays: Number(row.replays),
    erasedAt: instantOrNull(row.erased_us),
    previousBookingId: told?.previous?.bookingId ?? null,
    conflictWith: told?.conflict?.with ?? [],
    slots: slotStepsIn(row.slots),
    tells,
  }
}

/** What `explainedTell` reads. */
export const explainedTellColumns = [...listedTellColumns, 'replay', 'finished_us'] as const

/** One telling of an event, as people see it. */
export function explainedTell(row: Row): ExplainedTell {
  return {
    subscriber: row.subscriber as string,
    replay: row.replay === '' ? null : (row.replay as string),
    ...standingOf(row),
    finishedAt: instantOrNull(row.finished_us),
  }
}
