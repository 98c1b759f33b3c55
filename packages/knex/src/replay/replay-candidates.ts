import type {
  BookingEvent,
  EventFilter,
  ReplayCandidate,
  ReplayCursor,
  ReplayScope,
  StoredBooking,
} from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { filterEvents } from '../questions/event-filter.js'
import { bookingColumns, storedBooking } from '../rows/booking-row.js'
import { parsed } from '../rows/event-row.js'
import { fitting } from '../rows/fitting.js'

/** What a replay asked for now would mean: everything that is finished by the database's clock. */
export async function replayScope(database: Database, filter: EventFilter): Promise<ReplayScope> {
  const { knex, tables, nowUs } = database
  const [last] = await knex(tables.events)
    .select(knex.raw(`${nowUs()} as now_us`))
    .max('sequence as sequence')
  const scope = { untilUs: Number(last?.now_us), untilSequence: Number(last?.sequence ?? 0) }
  const count = async (isBlank: boolean): Promise<number> => {
    const [row] = await finished(database, filter, scope, isBlank).count('* as events')
    return Number(row?.events ?? 0)
  }
  return { ...scope, events: await count(false), blank: await count(true) }
}

/**
 * The next events of a replay. By `finished_us` they come in the order in which they were settled, so in that in which their threads were
 * told of them; an event that is settled again meanwhile is out of the scope.
 */
export async function replayCandidates(
  database: Database,
  filter: EventFilter,
  scope: ReplayScope,
  after: ReplayCursor | null,
  limit: number,
): Promise<{ candidates: ReplayCandidate[]; isLast: boolean }> {
  const query = finished(database, filter, scope, false)
    .select('e.id', 'e.finished_us', 'e.sequence', 'e.status', 'e.outcome')
    .select('e.provider', 'e.account', 'e.booking_id', 'e.replays')
    .select(
      database.knex.raw('length(e.told) as bytes, case when e.fact is null then 0 else 1 end as has_fact'),
    )
    .orderBy(['e.finished_us', 'e.sequence'])
    .limit(limit)
  if (after)
    query.where(later =>
      later
        .where('e.finished_us', '>', after.finishedUs)
        .orWhere(same =>
          same.where('e.finished_us', after.finishedUs).where('e.sequence', '>', after.sequence),
        ),
    )
  const found: Row[] = await query
  const rows = fitting(found)
  const told = await toldOf(database, rows)
  const tells = await tellsOf(database, rows)
  const bookings = await bookingsOf(database, rows, told)
  const candidates = rows.map((row): ReplayCandidate => {
    const id = row.id as string
    const event = told.get(id) ?? null
    return {
      eventId: id,
      cursor: { finishedUs: Number(row.finished_us), sequence: Number(row.sequence) },
      status: row.status as ReplayCandidate['status'],
      outcome: row.outcome as ReplayCandidate['outcome'],
      told: event,
      hasFact: Boolean(Number(row.has_fact)),
      booking: (event?.booking && bookings.get(keyOf(row, event.booking.id))) ?? null,
      tells: tells.get(id) ?? [],
    }
  })
  return { candidates, isLast: found.length < limit && rows.length === found.length }
}

/** Timed second looks are nobody's event. */
function finished(
  database: Database,
  filter: EventFilter,
  { untilUs, untilSequence }: Pick<ReplayScope, 'untilUs' | 'untilSequence'>,
  isBlank: boolean,
): Knex.QueryBuilder {
  const { knex, tables } = database
  const query = knex(`${tables.events} as e`)
    .where('e.is_blank', isBlank)
    .where('e.finished_us', '<=', untilUs)
    .where('e.sequence', '<=', untilSequence)
    .whereNot('e.origin', 'look')
  return filterEvents(query, database, filter)
}

async function toldOf({ knex, tables }: Database, events: Row[]): Promise<Map<string, BookingEvent>> {
  const rows: Row[] = await knex(tables.events)
    .select('id', 'told')
    .whereIn(
      'id',
      events.filter(row => row.outcome === 'accepted' && row.bytes !== null).map(row => row.id as string),
    )
  return new Map(rows.map(row => [row.id as string, parsed(row.told) as BookingEvent]))
}

async function tellsOf(
  { knex, tables }: Database,
  events: Row[],
): Promise<Map<string, ReplayCandidate['tells']>> {
  const rows: Row[] = await knex(tables.tells)
    .select('event_id', 'subscriber', 'replay', 'status')
    .whereIn(
      'event_id',
      events.map(row => row.id as string),
    )
    .orderBy('sequence')
  const tells = new Map<string, ReplayCandidate['tells']>()
  for (const row of rows) {
    const ofEvent = tells.get(row.event_id as string) ?? []
    const subscriber = row.subscriber as string
    const earlier = ofEvent.find(tell => tell.subscriber === subscriber)
    const isFirstPending = earlier?.isFirstPending === true || (row.replay === '' && row.status === 'pending')
    const status = row.status as ReplayCandidate['tells'][number]['status']
    tells.set(row.event_id as string, [
      ...ofEvent.filter(tell => tell !== earlier),
      { subscriber, status, isFirstPending },
    ])
  }
  return tells
}

async function bookingsOf(
  { knex, tables }: Database,
  events: Row[],
  told: ReadonlyMap<string, BookingEvent>,
): Promise<Map<string, StoredBooking>> {
  const ids = new Set([...told.values()].flatMap(event => event.booking?.id ?? []))
  const rows: Row[] = await knex(tables.bookings)
    .select('provider', 'account', ...bookingColumns)
    .whereIn('provider', [...new Set(events.map(row => row.provider as string))])
    .whereIn('account', [...new Set(events.map(row => row.account as string))])
    .whereIn('booking_id', [...ids])
  return new Map(
    rows.map(row => {
      const booking = storedBooking(row)
      return [keyOf(row, booking.id), booking]
    }),
  )
}

function keyOf({ provider, account }: Row, bookingId: string): string {
  return JSON.stringify([provider, account, bookingId])
}
