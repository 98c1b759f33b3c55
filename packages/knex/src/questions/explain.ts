import {
  type BookingEvent,
  type ExplainedBooking,
  type ExplainedEvent,
  type ExplainedTell,
  type Explanation,
  formatInstant,
  formatInstantOrNull,
  type Instant,
  type SlotName,
} from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { storedBooking } from '../rows/booking-row.js'
import { factOf, microsOrNull, parsed } from '../rows/event-row.js'
import { slotStepsIn } from '../settle/slot-steps.js'
import { bookingListed, listedColumns } from './list-bookings.js'
import { statusOf } from './list-events.js'

/** Whose booking. */
interface Owner {
  provider: string
  account: string
}

/** More than this happens to no booking; a story that is longer is told to here. */
const eventsAtMost = 1_000

/** The story of a booking and its thread; null for one that nothing names. */
export async function explainBooking(
  database: Database,
  bookingId: string,
  of: { provider?: string; account?: string },
): Promise<Explanation | null> {
  const owner = await ownerOf(database, bookingId, of)
  if (owner === null) return null
  const thread = await threadOf(database, owner, bookingId)
  const ids = thread.length > 0 ? thread.map(({ id }) => id) : [bookingId]
  const meetings = thread.flatMap(({ meetingId }) => meetingId ?? [])
  const rows = await eventsOf(database, owner, ids, meetings)
  const tells = await tellsOf(database, rows)
  const events = rows.map(row => explainedEvent(row, tells.get(row.id as string) ?? []))
  for (const event of events)
    if (event.outcome === 'conflict')
      event.conflictWith =
        events.find(({ parentId, type }) => parentId === event.id && type === 'booking.conflict')
          ?.conflictWith ?? []
  return { bookingId, ...owner, thread, events }
}

async function ownerOf(
  { knex, tables }: Database,
  bookingId: string,
  { provider, account }: { provider?: string; account?: string },
): Promise<Owner | null> {
  const narrowed = {
    ...(provider === undefined ? {} : { provider }),
    ...(account === undefined ? {} : { account }),
  }
  for (const [table, order] of [
    [tables.bookings, 'updated_us'],
    [tables.events, 'sequence'],
  ] as const) {
    const [row] = await knex(table)
      .select('provider', 'account')
      .where({ booking_id: bookingId, ...narrowed })
      .orderBy(order, 'desc')
      .limit(1)
    if (row) return { provider: row.provider, account: row.account }
  }
  return null
}

/** Oldest first, as one replaced the other. */
async function threadOf(database: Database, owner: Owner, bookingId: string): Promise<ExplainedBooking[]> {
  const { knex, tables } = database
  const rows: Row[] = await knex(tables.bookings)
    .select(...listedColumns)
    .where(owner)
    .whereNotNull('status')
    .whereIn(
      'thread_id',
      knex(tables.bookings)
        .select('thread_id')
        .where({ ...owner, booking_id: bookingId }),
    )
  const left = new Map(rows.map(row => [row.booking_id as string, row]))
  const inOrder: Row[] = []
  while (left.size > 0) {
    const isFirst = (row: Row) => !left.has(storedBooking(row).previousId ?? '')
    const next = [...left.values()].find(isFirst) ?? (left.values().next().value as Row)
    left.delete(next.booking_id as string)
    inOrder.push(next)
  }
  return Promise.all(inOrder.map(row => explainedBooking(database, owner, row)))
}

async function explainedBooking(
  { knex, tables }: Database,
  owner: Owner,
  row: Row,
): Promise<ExplainedBooking> {
  const { status, startsUs, resources, meetingId, id } = storedBooking(row)
  const wanted = status === 'confirmed' && startsUs !== null ? resources : []
  const held: Row[] = await knex(tables.slots)
    .select('resource', 'provider', 'account', 'meeting_id')
    .whereIn('resource', wanted)
    .where({ starts_us: startsUs ?? 0 })
  const holds: SlotName[] = []
  const waitsFor: ExplainedBooking['waitsFor'] = []
  for (const resource of wanted) {
    const slot = { resource, startsAt: formatInstant(startsUs ?? 0) }
    const holder = held.find(one => one.resource === resource)
    const isOwn =
      holder?.provider === owner.provider &&
      holder?.account === owner.account &&
      holder?.meeting_id === (meetingId ?? id)
    if (isOwn) holds.push(slot)
    else if (row.status === 'conflict')
      waitsFor.push({ ...slot, heldBy: (holder?.meeting_id as string | undefined) ?? null })
  }
  return { ...bookingListed(row), holds, waitsFor }
}

/** What is about these bookings, by name or by fact, what is about all of their meetings, and the rows that it came out of. */
async function eventsOf(
  { knex, tables }: Database,
  owner: Owner,
  bookingIds: string[],
  meetingIds: string[],
): Promise<Row[]> {
  const about = (subjects: string[]) =>
    knex(tables.subjects).select('event_id').where(owner).whereIn('subject', subjects)
  const named: Row[] = await knex(tables.events)
    .select(...columns)
    .where(owner)
    .where(any =>
      any
        .whereIn('booking_id', bookingIds)
        .orWhereIn('id', about(bookingIds.map(id => `b:${id}`)))
        .orWhereIn('id', about(meetingIds.map(id => `m:${id}`))),
    )
    .whereNot('origin', 'look')
    .orderBy('sequence')
    .limit(eventsAtMost)
  const rows = named.filter(
    row => bookingIds.includes(row.booking_id as string) || concerns(row, bookingIds, meetingIds),
  )
  const known = new Set(rows.map(row => row.id))
  const parents: Row[] = await knex(tables.events)
    .select(...columns)
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

const columns = [
  'sequence',
  'id',
  'type',
  'provider_type',
  'origin',
  'parent_id',
  'booking_id',
  'meeting_id',
  'thread_id',
  'occurred_us',
  'received_us',
  'last_received_us',
  'deliveries',
  'status',
  'outcome',
  'reason',
  'finished_us',
  'attempts',
  'last_error',
  'replays',
  'erased_us',
  'slots',
  'fact',
  'told',
] as const

async function tellsOf({ knex, tables }: Database, events: Row[]): Promise<Map<string, ExplainedTell[]>> {
  const rows: Row[] = await knex(tables.tells)
    .select('event_id', 'subscriber', 'replay', 'status', 'attempts', 'last_error', 'finished_us')
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

function explainedTell(row: Row): ExplainedTell {
  return {
    subscriber: row.subscriber as string,
    replay: row.replay === '' ? null : (row.replay as string),
    status: row.status as ExplainedTell['status'],
    attempts: Number(row.attempts),
    lastError: row.last_error as string | null,
    finishedAt: instantOrNull(row.finished_us),
  }
}

function explainedEvent(row: Row, tells: ExplainedTell[]): ExplainedEvent {
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
    occurredAt: instantOrNull(row.occurred_us),
    receivedAt: formatInstant(Number(row.received_us)),
    lastReceivedAt: formatInstant(Number(row.last_received_us)),
    deliveries: Number(row.deliveries),
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

function instantOrNull(micros: unknown): Instant | null {
  return formatInstantOrNull(microsOrNull(micros))
}
