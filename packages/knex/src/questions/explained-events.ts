import type { ExplainedEvent, ExplainedTell } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { factOf } from '../rows/event-row.js'
import { eventsOfBookings } from '../rows/events-of-bookings.js'
import type { Owner } from '../settle/owner.js'
import { explainedColumns, explainedEvent, explainedTell, explainedTellColumns } from './explained-event.js'

/** More than this happens to no booking; a story that is longer is told to here. */
const eventsAtMost = 1_000

/** Everything that came about these bookings and their meetings, in order of arrival. */
export async function explainedEvents(
  database: Database,
  owner: Owner,
  bookingIds: string[],
  meetingIds: string[],
): Promise<ExplainedEvent[]> {
  const rows = await eventsOf(database, owner, bookingIds, meetingIds)
  const tells = await tellsOf(database, rows)
  const events = rows.map(row => explainedEvent(row, tells.get(row.id as string) ?? []))
  for (const event of events)
    if (event.outcome === 'conflict')
      event.conflictWith =
        events.find(({ parentId, type }) => parentId === event.id && type === 'booking.conflict')
          ?.conflictWith ?? []
  return events
}

/** What is about these bookings, by name or by fact, what is about all of their meetings, and the rows that it came out of. */
async function eventsOf(
  database: Database,
  owner: Owner,
  bookingIds: string[],
  meetingIds: string[],
): Promise<Row[]> {
  const { knex, tables } = database
  const about = (subjects: string[]) =>
    knex(tables.subjects).select('event_id as id').where(owner).whereIn('subject', subjects)
  const found = eventsOfBookings(database, bookingIds, owner).unionAll([
    about(bookingIds.map(id => `b:${id}`)),
    about(meetingIds.map(id => `m:${id}`)),
  ])
  const named: Row[] = await knex(tables.events)
    .select(...explainedColumns)
    // One list: PostgreSQL reads all events for the choice between several, MariaDB for a bare union.
    .whereIn('id', knex.select('id').from(found.as('found')))
    .whereNot('origin', 'look')
    .orderBy('sequence')
    .limit(eventsAtMost)
  const rows = named.filter(
    row => bookingIds.includes(row.booking_id as string) || concerns(row, bookingIds, meetingIds),
  )
  const known = new Set(rows.map(row => row.id))
  const parents: Row[] = await knex(tables.events)
    .select(...explainedColumns)
    .whereIn(
      'id',
      rows.flatMap(row =>
        row.parent_id === null || known.has(row.parent_id) ? [] : (row.parent_id as string),
      ),
    )
  return [...rows, ...parents].sort((a, b) => Number(a.sequence) - Number(b.sequence))
}

/** Facts of one person in a meeting are found under the meeting too: other persons' are not this booking's story. */
function concerns(row: Row, bookingIds: string[], meetingIds: string[]): boolean {
  const fact = factOf(row)
  return [fact?.target, fact?.previous].some(target => {
    if (!target) return false
    if (target.kind === 'meeting') return meetingIds.includes(target.meetingId)
    const ids = target.kind === 'booking' ? [target.id] : [target.named, target.newId]
    return ids.some(id => id !== null && bookingIds.includes(id))
  })
}

async function tellsOf({ knex, tables }: Database, events: Row[]): Promise<Map<string, ExplainedTell[]>> {
  const rows: Row[] = await knex(tables.tells)
    .select('event_id', ...explainedTellColumns)
    .whereIn(
      'event_id',
      events.map(row => row.id as string),
    )
    .orderBy('sequence')
  const tells = new Map<string, ExplainedTell[]>()
  for (const row of rows)
    tells.set(row.event_id as string, [...(tells.get(row.event_id as string) ?? []), explainedTell(row)])
  return tells
}
