import {
  type BookingFilter,
  type BookingRow,
  formatInstant,
  formatInstantOrNull,
  type Page,
  type Paged,
} from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { storedBooking } from '../rows/booking-row.js'

/** A page of the bookings, newest change first. One known only by a mark (paid, no-show) is not among them. */
export async function listBookings(
  { knex, tables }: Database,
  filter: BookingFilter,
  { limit, cursor }: Page,
): Promise<Paged<BookingRow>> {
  const query = knex(tables.bookings)
    .select(...listedColumns)
    .whereNotNull('status')
    .orderBy(order.map(column => ({ column, order: 'desc' })))
    .limit(limit + 1)
  const same = {
    booking_id: filter.booking,
    provider: filter.provider,
    account: filter.account,
    thread_id: filter.thread,
    status: filter.status,
  }
  for (const [column, value] of Object.entries(same)) if (value !== undefined) query.where(column, value)
  if (cursor !== null) query.whereRaw(`(${order.join(', ')}) < (?, ?, ?, ?)`, JSON.parse(cursor))
  const found: Row[] = await query
  const rows = found.slice(0, limit)
  return { rows: rows.map(bookingListed), cursor: found.length > limit ? cursorOf(rows.at(-1)) : null }
}

/** What `bookingListed` reads. */
export const listedColumns = [
  'provider',
  'account',
  'booking_id',
  'status',
  'updated_us',
  'data',
  'details',
] as const

const order = ['updated_us', 'provider', 'account', 'booking_id']

function cursorOf(row: Row | undefined): string {
  return JSON.stringify([Number(row?.updated_us), row?.provider, row?.account, row?.booking_id])
}

/** A booking's row as people see it. */
export function bookingListed(row: Row): BookingRow {
  const booking = storedBooking(row)
  const { attendee } = booking.details
  return {
    id: booking.id,
    provider: row.provider as string,
    account: row.account as string,
    status: row.status as string,
    threadId: booking.threadId,
    meetingId: booking.meetingId,
    startsAt: formatInstantOrNull(booking.startsUs),
    endsAt: formatInstantOrNull(booking.endsUs),
    resources: booking.resources,
    attendee: attendee && { name: attendee.name, email: attendee.email },
    noShow: booking.noShow,
    updatedAt: formatInstant(Number(row.updated_us)),
  }
}
