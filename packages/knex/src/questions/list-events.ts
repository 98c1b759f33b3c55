import type { EventFilter, EventRow, Page, Paged, TellRow } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { filterEvents } from './event-filter.js'
import { arrivalOf, listedEventColumns, listedTellColumns, standingOf, statusOf } from './listed-event.js'

/** A page of the ledger, newest first. */
export async function listEvents(
  database: Database,
  filter: EventFilter,
  { limit, cursor }: Page,
): Promise<Paged<EventRow>> {
  const { knex, tables } = database
  const query = knex(`${tables.events} as e`)
    .select(columns.map(column => `e.${column}`))
    .whereNot('e.origin', 'look')
    .orderBy('e.sequence', 'desc')
    .limit(limit + 1)
  if (cursor !== null) query.where('e.sequence', '<', Number(cursor))
  const found: Row[] = await filterEvents(query, database, filter)
  const rows = found.slice(0, limit)
  const tells = await tellsOf(database, rows)
  return {
    rows: rows.map(row => eventRow(row, tells.get(row.id as string) ?? [])),
    cursor: found.length > limit ? String(rows.at(-1)?.sequence) : null,
  }
}

const columns = [...listedEventColumns, 'provider', 'account', 'is_blank']

/** Each subscriber's latest tell of each event: after a replay, the replay's. */
async function tellsOf({ knex, tables }: Database, events: Row[]): Promise<Map<string, TellRow[]>> {
  const rows: Row[] = await knex(tables.tells)
    .select('event_id', ...listedTellColumns)
    .whereIn(
      'event_id',
      events.map(row => row.id as string),
    )
    .orderBy('sequence')
  const latest = new Map<string, Map<string, TellRow>>()
  for (const row of rows) {
    const ofEvent = latest.get(row.event_id as string) ?? new Map<string, TellRow>()
    latest.set(row.event_id as string, ofEvent.set(row.subscriber as string, tellRow(row)))
  }
  return new Map([...latest].map(([id, tells]) => [id, [...tells.values()]]))
}

function tellRow(row: Row): TellRow {
  return { subscriber: row.subscriber as string, ...standingOf(row) }
}

function eventRow(row: Row, tells: TellRow[]): EventRow {
  return {
    id: row.id as string,
    type: row.type as EventRow['type'],
    provider: row.provider as string,
    account: row.account as string,
    providerType: row.provider_type as string,
    bookingId: row.booking_id as string | null,
    meetingId: row.meeting_id as string | null,
    ...arrivalOf(row),
    // A dead letter that was erased needs nobody any more: nothing is left to replay. Its story still says how it ended.
    status: row.is_blank ? 'done' : statusOf(row, tells),
    outcome: row.outcome as EventRow['outcome'],
    reason: row.reason as string | null,
    // Of the callbacks once there are any, of the fetch before.
    attempts: tells.length > 0 ? Math.max(...tells.map(tell => tell.attempts)) : Number(row.attempts),
    lastError:
      (row.last_error as string | null) ?? tells.find(tell => tell.lastError !== null)?.lastError ?? null,
    replays: Number(row.replays),
    tells,
  }
}
