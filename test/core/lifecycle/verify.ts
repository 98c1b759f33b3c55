import { fold, type StoredBooking } from '@booking-webhooks/core'
import { keep } from './calendar.js'
import { type Engine, slotName } from './engine.js'
import type { Run } from './execute.js'

/** What a history must come to, whatever the order. */
export interface Truth {
  /** Final status by booking id. */
  statuses: Map<string, string | null>
  /** Who stands, and when, where no slot was ever double-booked; null where one was. */
  standing: Map<string, number> | null
}

/** Everything that is wrong with how a run ended, in words. */
export function problemsOf({ engine, calendar, heard, problems }: Run, truth: Truth): string[] {
  return [
    ...problems,
    ...truthProblems(engine, truth),
    ...rowProblems(engine),
    ...slotProblems(engine),
    ...endProblems(engine, heard),
    // Facts may show that two bookings are no thread after all while what was told of them still waits: then no order is left.
    ...(engine.lanes.circles > 0
      ? []
      : [...orderProblems(engine, heard), ...calendarProblems(engine, calendar, heard)]),
  ]
}

/** The bookings that a run came to, as text. A row without status is known only by name. */
export function bookingsOf({ bookings }: Engine): string {
  return [...bookings.values()]
    .filter(({ status }) => status !== null)
    .map(({ told: _, toldAs: __, waits: ___, snapshot: ____, updatedUs: _____, ...state }) => state)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(state => JSON.stringify(state))
    .join('\n')
}

/** Who holds which slot, as text. */
export function slotsOf({ slots }: Engine): string {
  return [...slots]
    .map(([name, { meetingId }]) => `${name}: ${meetingId}`)
    .sort()
    .join('\n')
}

function truthProblems({ bookings, slots }: Engine, { statuses, standing }: Truth): string[] {
  const problems: string[] = []
  for (const [id, status] of statuses) {
    const found = bookings.get(id)?.status ?? null
    if (found !== status) problems.push(`${id} is ${found}, was truly ${status}`)
  }
  if (!standing) return problems
  const holding = [...bookings.values()].filter(holds)
  const found = holding.map(row => `${row.id} at ${row.startsUs}`).sort()
  const truly = [...standing].map(([id, startsUs]) => `${id} at ${startsUs}`).sort()
  if (found.join() !== truly.join()) problems.push(`${found} stand, truly ${truly} (${slots.size} slots)`)
  return problems
}

/** The rows are what one fold of all facts gives: nothing was missing when they were decided. */
function rowProblems({ bookings, facts }: Engine): string[] {
  const problems: string[] = []
  const folded = fold([...facts.values()])
  for (const [id, booking] of folded) {
    const row = bookings.get(id)
    for (const [part, value] of Object.entries(booking))
      if (JSON.stringify(row?.[part as keyof StoredBooking]) !== JSON.stringify(value))
        problems.push(`the row of ${id} differs from the fold in ${part}`)
  }
  for (const { id, status, told } of bookings.values())
    if (!folded.has(id) && (status !== null || told === 'open')) problems.push(`the row of ${id} is nobody's`)
  return problems
}

function slotProblems({ bookings, slots, waiting }: Engine): string[] {
  const problems: string[] = []
  const rows = [...bookings.values()]
  for (const row of rows.filter(({ status }) => status === 'confirmed'))
    for (const slot of wanted(row)) {
      const holder = slots.get(slot)?.meetingId
      if (!row.waits && holder !== meetingOf(row))
        problems.push(`${row.id} should hold ${slot}, ${holder} does`)
    }
  for (const [slot, { meetingId }] of slots)
    if (!rows.some(row => holds(row) && meetingOf(row) === meetingId && wanted(row).includes(slot)))
      problems.push(`${slot} is held by ${meetingId}, which is not there`)
  for (const row of rows.filter(({ waits }) => waits)) {
    if (wanted(row).every(slot => [undefined, meetingOf(row)].includes(slots.get(slot)?.meetingId)))
      problems.push(`${row.id} waits for slots that are free or its own meeting's`)
    if (
      ![...waiting.values()].some(event =>
        wanted(row).every(slot => event.slots.map(slotName).includes(slot)),
      )
    )
      problems.push(`${row.id} waits in no event`)
  }
  for (const { eventId, bookingId, slots: wants } of waiting.values())
    if (!rows.some(row => row.waits && wanted(row).every(slot => wants.map(slotName).includes(slot))))
      problems.push(`${eventId} waits though ${bookingId} does not`)
  return problems
}

/** Everything about a booking is heard in the order of settling, and before the event that names it as previous. */
function orderProblems({ bookings }: Engine, heard: Run['heard']): string[] {
  const problems: string[] = []
  const newest = new Map<string, number>()
  for (const { id, announcement, number } of heard) {
    const about = [announcement.booking.id, announcement.previous?.bookingId ?? announcement.booking.id]
    for (const booking of about.filter(one => bookings.get(one)?.status))
      if ((newest.get(booking) ?? -1) > number)
        problems.push(`${id} was heard after later events of ${booking}`)
    newest.set(announcement.booking.id, Math.max(number, newest.get(announcement.booking.id) ?? -1))
  }
  return problems
}

/** Rule 5: whoever was told of a booking is told of its end. */
function endProblems({ bookings }: Engine, heard: Run['heard']): string[] {
  const open = new Set<string>()
  for (const { announcement } of heard) {
    const { type, booking, previous } = announcement
    if (previous && previous.bookingId !== booking.id) open.delete(previous.bookingId)
    if (type === 'booking.canceled' || type === 'booking.rejected') open.delete(booking.id)
    if (opens.includes(type) && !isOver(booking.status)) open.add(booking.id)
  }
  return [...open]
    .filter(id => !isActive(bookings.get(id)?.status))
    .map(id => `the end of ${id} was never told`)
}

/** Whenever somebody began to listen, their calendar has no entry that should not be there; from the beginning, it has all. */
function calendarProblems({ bookings }: Engine, calendar: Run['calendar'], heard: Run['heard']): string[] {
  const problems: string[] = []
  const right = new Map(
    [...bookings.values()]
      .filter(row => row.status === 'confirmed' && !row.waits)
      .map(row => [row.id, row.startsUs] as const),
  )
  const entry = (id: string, startsAt: string | null) => `${id} at ${startsAt && Date.parse(startsAt) * 1000}`
  const has = [...calendar].map(([id, startsAt]) => entry(id, startsAt)).sort()
  const should = [...right].map(([id, startsUs]) => `${id} at ${startsUs}`).sort()
  if (has.join() !== should.join()) problems.push(`the calendar has [${has}], should have [${should}]`)
  for (let first = 1; first < heard.length; first++) {
    const late: Run['calendar'] = new Map()
    for (const told of heard) if (told.number >= first) keep(late, told.announcement)
    for (const [id, startsAt] of late)
      if (!should.includes(entry(id, startsAt)))
        problems.push(`one who listened from event ${first} on has a ghost: ${entry(id, startsAt)}`)
  }
  return problems
}

const opens = ['booking.created', 'booking.requested', 'booking.rescheduled', 'booking.conflict']

function isOver(status: string | null | undefined): boolean {
  return ['canceled', 'rejected', 'rescheduled'].includes(status ?? '')
}

function isActive(status: string | null | undefined): boolean {
  return status === 'confirmed' || status === 'requested'
}

function holds({ status, waits }: StoredBooking): boolean {
  return status === 'confirmed' && !waits
}

function wanted({ resources, startsUs }: StoredBooking): string[] {
  return startsUs === null ? [] : resources.map(resource => slotName({ resource, startsUs }))
}

function meetingOf({ meetingId, id }: StoredBooking): string {
  return meetingId ?? id
}
