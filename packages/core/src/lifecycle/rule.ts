import type { BookingEventType } from '../event/event.js'
import { changedRows } from './booking-rows.js'
import type { Decision, Outcome, Waiting } from './decision.js'
import type { Fact } from './fact.js'
import { rowOf, type Scene } from './scene.js'
import { distinctSlots, slotsWanted } from './slot.js'
import { isOver } from './status.js'
import { standingOf, wantedType } from './tell-standing.js'
import { waitersIn } from './waits.js'

/** How an event was decided, and why. */
export interface Ruling {
  outcome: Outcome
  reason: string
}

/** What a scene has come to, as what is to be written. `targets` are the bookings that the fact is about. */
export function rule(scene: Scene, targets: readonly string[], { outcome, reason }: Ruling): Decision {
  const { known, fact, rows, assignment, announcements } = scene
  const own = announcements.find(({ suffix }) => suffix === '')
  const wait = waitOf(scene)
  const ended = endedWaits(scene)
  const bookingId = own?.booking.id ?? wait?.bookingId ?? nameOf(scene, targets)
  const row = bookingId === null ? undefined : rows.get(bookingId)
  return {
    outcome,
    reason,
    bookingId,
    meetingId: row?.meetingId ?? fact.meetingId,
    threadId: row?.threadId ?? null,
    type: own?.type ?? wait?.wanted ?? typeOf(fact),
    bookings: changedRows(known, rows, targets),
    free: assignment.free,
    take: assignment.take,
    wait,
    noLongerWaiting: ended.map(({ eventId, bookingId: id }) => ({ eventId, reason: endOfWait(scene, id) })),
    announcements,
    joins: distinctJoins([...renamedThreads(scene), ...scene.joins]),
    wake: distinctSlots([...assignment.wake, ...ended.flatMap(({ slots }) => slots)]),
  }
}

/** A half's row names the booking that it closes, every other one the booking that it is about. */
function nameOf({ fact, after }: Scene, [first]: readonly string[]): string | null {
  const closed = fact.kind === 'half' ? after.touched.get(fact.key)?.replaced.at(-1) : undefined
  return closed ?? first ?? null
}

function waitOf(scene: Scene): Decision['wait'] {
  const blocked = [...scene.assignment.blocked].map(id => rowOf(scene, id))
  const [first] = blocked
  const [announced] = scene.announcements
  if (!first || !announced) return null
  return {
    bookingId: first.id,
    slots: distinctSlots(blocked.flatMap(slotsWanted)),
    wanted: announced.conflict?.wanted ?? wantedType(standingOf(scene, first).type),
  }
}

/** Events in which no booking waits any more, unless it is in this one. */
function endedWaits({ known, fact, rows, after, assignment }: Scene): Waiting[] {
  return known.waiting.filter(
    event =>
      event.fact.key !== fact.key &&
      waitersIn(event, rows, after).every(({ id }) => assignment.blocked.has(id)),
  )
}

function endOfWait({ rows }: Scene, id: string): string {
  const row = rows.get(id)
  if (row && isOver(row)) return `It waits no longer: its booking was ${row.status}.`
  if (row?.status === 'confirmed' && !row.waits) return 'It waits no longer: its booking has a slot.'
  return 'It waits no longer: its booking wants another slot now.'
}

/** What was told under a thread's former name goes before what will be told under the new one. */
function renamedThreads({ known, rows }: Scene): Decision['joins'] {
  return known.bookings.flatMap(({ id, threadId: younger }) => {
    const older = rows.get(id)?.threadId ?? younger
    return older === younger ? [] : [{ older, younger }]
  })
}

function distinctJoins(joins: Decision['joins']): Decision['joins'] {
  return [...new Map(joins.map(join => [JSON.stringify(join), join])).values()]
}

/** The type of an event that is not told itself. */
function typeOf({ kind, previous, noShow }: Fact): BookingEventType {
  switch (kind) {
    case 'requested':
    case 'created':
      return previous === null ? `booking.${kind}` : 'booking.rescheduled'
    case 'moved':
    case 'half':
      return 'booking.rescheduled'
    case 'reassigned':
      return 'booking.updated'
    case 'no_show':
      return noShow === false ? 'booking.updated' : 'booking.no_show'
    default:
      return `booking.${kind}`
  }
}
