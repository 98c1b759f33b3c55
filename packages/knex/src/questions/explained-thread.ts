import { type ExplainedBooking, formatInstant, type SlotName } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { storedBooking } from '../rows/booking-row.js'
import type { Owner } from '../settle/owner.js'
import { bookingListed, listedColumns } from './list-bookings.js'

/** The bookings of the thread: oldest first, as one replaced the other. */
export async function explainedThread(
  database: Database,
  owner: Owner,
  bookingId: string,
): Promise<ExplainedBooking[]> {
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
