import type { ErasureSubject } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { storedBooking } from '../rows/booking-row.js'
import { eventsOfBookings } from '../rows/events-of-bookings.js'
import { fitting } from '../rows/fitting.js'
import type { Owner } from '../settle/owner.js'
import { mentions } from './mentions.js'

/** A booking's primary key. */
export interface BookingKey {
  provider: string
  account: string
  booking_id: string
}

/** How many rows are read at once, of events no more than fit: a search for an address reads everything that is not blank. */
const rowsAtOnce = 200

/** The bookings of a guest, each with its whole thread. */
export async function concernedBookings(database: Database, subject: ErasureSubject): Promise<BookingKey[]> {
  const { knex, tables } = database
  const found: Row[] =
    'email' in subject
      ? await bookingsOfAddress(database, subject.email)
      : await knex(tables.bookings)
          .select('provider', 'account', 'thread_id')
          .where({ booking_id: subject.booking, ...ownerOf(subject) })
  const keys = new Map<string, BookingKey>()
  for (const { provider, account, thread_id } of found)
    for (const row of await knex(tables.bookings)
      .select('provider', 'account', 'booking_id')
      .where({ provider, account, thread_id }))
      keys.set(JSON.stringify([row.provider, row.account, row.booking_id]), row)
  return [...keys.values()]
}

function ownerOf({ provider, account }: Extract<ErasureSubject, { booking: string }>): Partial<Owner> {
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(account === undefined ? {} : { account }),
  }
}

/** As attendee or as guest. Details are JSON, which no database searches as the others do, so they are read here. */
async function bookingsOfAddress({ knex, tables }: Database, email: string): Promise<Row[]> {
  const wanted = email.toLowerCase()
  const key = ['booking_id', 'provider', 'account']
  const found: Row[] = []
  for (let after: string[] = ['', '', '']; ; ) {
    const rows: Row[] = await knex(tables.bookings)
      .select(...key, 'thread_id', 'data', 'details')
      .whereRaw(`(${key.join(', ')}) > (?, ?, ?)`, after)
      .orderBy(key)
      .limit(rowsAtOnce)
    for (const row of rows) {
      const { attendee, guests } = storedBooking(row).details
      if ([attendee, ...guests].some(person => person?.email?.toLowerCase() === wanted)) found.push(row)
    }
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return found
    after = key.map(column => last[column] as string)
  }
}

/** The events of these bookings, those that mention the address anywhere, and all that came in the same bodies. */
export async function concernedEvents(
  database: Database,
  bookings: BookingKey[],
  subject: ErasureSubject,
): Promise<string[]> {
  const ids = new Set<string>('email' in subject ? await eventsThatMention(database, subject.email) : [])
  const { knex, tables } = database
  const unnamed =
    'email' in subject || bookings.length > 0
      ? []
      : ((await eventsOfBookings(database, [subject.booking], ownerOf(subject))) as Row[])
  for (const row of unnamed) ids.add(row.id as string)
  for (const { provider, account, booking_id } of bookings) {
    const named: Row[] = await eventsOfBookings(database, [booking_id], { provider, account })
    const about: Row[] = await knex(tables.subjects)
      .select('event_id as id')
      .where({ provider, account, subject: `b:${booking_id}` })
    for (const row of [...named, ...about]) ids.add(row.id as string)
  }
  return withSameBody(database, [...ids])
}

async function eventsThatMention({ knex, tables }: Database, email: string): Promise<string[]> {
  const columns = ['headers', 'body', 'snapshot', 'fact_details', 'told', 'last_error']
  const length = columns.map(column => `coalesce(length(${column}), 0)`).join(' + ')
  const found: string[] = []
  for (let after = 0; ; ) {
    const next: Row[] = await knex(tables.events)
      .select('sequence', 'id', knex.raw(`${length} as bytes`))
      .where('sequence', '>', after)
      .where({ is_blank: false })
      .orderBy('sequence')
      .limit(rowsAtOnce)
    const part = fitting(next)
    const ids = part.map(row => row.id as string)
    const rows: Row[] = await knex(tables.events)
      .select('id', ...columns)
      .whereIn('id', ids)
    for (const row of rows) {
      const text = columns.map(column => textOf(row[column])).join('\n')
      if (mentions(text, email)) found.push(row.id as string)
    }
    if (part.length === next.length && next.length < rowsAtOnce) return found
    after = Number(part.at(-1)?.sequence)
  }
}

/** Bytes as text; some driver's are no Buffer. */
function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString() : String(value ?? '')
}

/** A body is kept once for all events that came of it, and told with each of them. */
async function withSameBody({ knex, tables }: Database, ids: string[]): Promise<string[]> {
  const all = new Set(ids)
  for (let at = 0; at < ids.length; at += rowsAtOnce) {
    const part = ids.slice(at, at + rowsAtOnce)
    const rows: Row[] = await knex(tables.events)
      .select('id', 'parent_id')
      .whereIn('id', part)
      .orWhereIn('parent_id', part)
    const keepers = rows.flatMap(row => (row.parent_id as string | null) ?? [])
    const siblings: Row[] = await knex(tables.events).select('id').whereIn('parent_id', keepers)
    for (const row of [...rows, ...siblings]) all.add(row.id as string)
    for (const keeper of keepers) all.add(keeper)
  }
  return [...all].sort()
}
