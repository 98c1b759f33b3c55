import type { Fact } from '@booking-webhooks/core'
import { fact, meeting, type Saying } from './facts.js'

/** How a provider tells of its bookings: a reschedule as two halves (Calendly), as a new booking (Cal.com), or in place (Acuity). */
export type Manner = 'halves' | 'links' | 'in place'

/** One thing that somebody does. Which booking, slot and host is meant is taken from the numbers, modulo what there is. */
export interface Action {
  does: (typeof deeds)[number]
  whom: number
  slot: number
  host: number
  /** Occupies all hosts. */
  together: boolean
  /** Time since the last action, in µs. */
  gap: number
  flag: boolean
}

export const deeds = [
  'book',
  'book',
  'book',
  'join',
  'cancel',
  'cancel',
  'move',
  'move',
  'move',
  'request',
  'accept',
  'reject',
  'request move',
  'request move',
  'ask for another time',
  'no-show',
  'update',
  'pay',
  'reassign',
  'start',
] as const

export interface Plan {
  manner: Manner
  actions: Action[]
  hosts: number
  slots: number
  /** The provider lets two meetings have one slot. */
  doubleBooks: boolean
  /** The clocks of the provider's servers differ: every so many events that end a booking bear an earlier time. */
  skew: number
}

/** A booking as the provider has it. */
export interface TrueBooking {
  id: string
  meetingId: string
  status: 'requested' | 'confirmed' | 'canceled' | 'rejected' | 'rescheduled'
  startsUs: number
  resources: string[]
  wasAskedToMove?: boolean
}

/** What truly happened, and the facts that tell of it in their true order. */
export interface History {
  facts: Fact[]
  bookings: TrueBooking[]
  /** At some time two meetings had one slot. */
  isDoubleBooked: boolean
}

/** Runs a plan at a make-believe provider. What cannot be done is left out. */
export function simulateBookings({ manner, actions, hosts, slots, doubleBooks, skew }: Plan): History {
  const facts: Fact[] = []
  const bookings: TrueBooking[] = []
  let isDoubleBooked = false
  let nowUs = 1_000

  const say = (saying: Saying): void => {
    const alias = manner === 'links' ? 'someone' : null
    const ends = ['canceled', 'rejected', 'half'].includes(saying.kind)
    const isSkewed = skew > 0 && manner !== 'in place' && ends && (facts.length + skew) % 3 === 0
    const occurredUs = isSkewed ? saying.occurredUs - 6 : saying.occurredUs
    facts.push(fact({ alias, ...saying, occurredUs }))
  }
  /** Ends differ by a few µs, so that a told booking shows which fact its times are from. */
  const place = ({ meetingId, startsUs, resources }: TrueBooking) => ({
    meetingId,
    startsUs,
    endsUs: startsUs + 1 + facts.length,
    resources,
  })
  const marked = (what: string) => ({ occurredUs: nowUs, key: `${what} at ${nowUs}` })
  const isTaken = (booking: TrueBooking): boolean =>
    bookings.some(
      other =>
        other.status === 'confirmed' &&
        other.meetingId !== booking.meetingId &&
        other.startsUs === booking.startsUs &&
        other.resources.some(resource => booking.resources.includes(resource)),
    )
  /** False where the provider would not allow it. */
  const isPossible = (booking: TrueBooking): boolean => {
    if (!isTaken(booking)) return true
    isDoubleBooked ||= doubleBooks
    return doubleBooks
  }
  const isAlone = ({ meetingId }: TrueBooking): boolean =>
    bookings.filter(other => other.status === 'confirmed' && other.meetingId === meetingId).length === 1

  for (const { does, whom, slot, host, together, gap, flag } of actions) {
    const isMark = ['no-show', 'update', 'pay', 'move', 'reassign', 'start'].includes(does)
    nowUs += isMark ? Math.max(1, gap) : gap
    const pickFrom = (some: TrueBooking[]): TrueBooking | undefined => some[whom % some.length]
    const pick = (...statuses: TrueBooking['status'][]) =>
      pickFrom(bookings.filter(({ status }) => statuses.includes(status)))
    const somewhere = {
      startsUs: 1_000_000 * (1 + (slot % slots)),
      resources: together
        ? Array.from({ length: hosts }, (_, index) => `host ${index}`)
        : [`host ${host % hosts}`],
    }
    const anew = (status: 'requested' | 'confirmed'): TrueBooking => {
      const id = String.fromCharCode(65 + bookings.length)
      return { id, meetingId: manner === 'links' ? id : `meeting ${id}`, status, ...somewhere }
    }

    switch (does) {
      case 'book': {
        const booking = anew('confirmed')
        if (!isPossible(booking)) break
        bookings.push(booking)
        say({ kind: 'created', target: booking.id, occurredUs: nowUs, ...place(booking) })
        break
      }
      case 'request': {
        if (manner !== 'links') break
        const booking = anew('requested')
        bookings.push(booking)
        say({ kind: 'requested', target: booking.id, occurredUs: nowUs, ...place(booking) })
        break
      }
      case 'join': {
        const other = pick('confirmed')
        if (!other || manner === 'links') break
        const booking = { ...anew('confirmed'), ...other, id: anew('confirmed').id }
        bookings.push(booking)
        say({ kind: 'created', target: booking.id, occurredUs: nowUs, ...place(booking) })
        break
      }
      case 'accept': {
        const booking = pick('requested')
        if (!booking || !isPossible(booking)) break
        booking.status = 'confirmed'
        say({ kind: 'created', target: booking.id, occurredUs: nowUs, ...place(booking) })
        break
      }
      case 'reject': {
        const booking = pick('requested')
        if (!booking) break
        booking.status = 'rejected'
        say({ kind: 'rejected', target: booking.id, occurredUs: nowUs })
        break
      }
      case 'cancel': {
        const booking = pick('confirmed', 'requested')
        if (!booking) break
        booking.status = 'canceled'
        say({ kind: 'canceled', target: booking.id, occurredUs: nowUs })
        break
      }
      case 'ask for another time': {
        const booking = pick('confirmed')
        if (!booking || manner === 'in place') break
        booking.status = 'canceled'
        booking.wasAskedToMove = true
        const cancellation = { by: 'host', rescheduleRequested: true } as const
        say({ kind: 'canceled', target: booking.id, occurredUs: nowUs, cancellation })
        break
      }
      case 'move':
      case 'request move': {
        if (manner === 'in place') {
          const booking = pick('confirmed')
          if (!booking || does !== 'move' || !isAlone(booking)) break
          if (!isPossible({ ...booking, ...somewhere })) break
          Object.assign(booking, somewhere)
          const key = `moved ${booking.id} at ${nowUs}`
          say({ kind: 'moved', target: booking.id, occurredUs: nowUs, key, ...place(booking) })
          break
        }
        if (does === 'request move' && manner !== 'links') break
        const old = pickFrom(bookings.filter(one => one.status === 'confirmed' || one.wasAskedToMove))
        if (!old) break
        const { status } = old
        const isFirstEnd = status === 'confirmed'
        old.status = 'rescheduled'
        const booking = anew(does === 'move' ? 'confirmed' : 'requested')
        if (does === 'move' && !isPossible(booking)) {
          old.status = status
          break
        }
        old.wasAskedToMove = false
        bookings.push(booking)
        const told = { target: booking.id, previous: old.id, occurredUs: nowUs, ...place(booking) }
        if (manner === 'halves' && isFirstEnd) {
          const { meetingId } = booking
          say({ kind: 'half', target: booking.id, previous: old.id, occurredUs: nowUs, meetingId })
          nowUs += flag ? 1 : 0
        }
        say({ ...told, kind: does === 'move' ? 'created' : 'requested', occurredUs: nowUs })
        break
      }
      case 'reassign': {
        const booking = pick('confirmed')
        if (!booking || !isAlone(booking) || !isPossible({ ...booking, resources: somewhere.resources }))
          break
        booking.resources = somewhere.resources
        const target = manner === 'links' ? meeting(booking.meetingId) : booking.id
        say({
          kind: 'reassigned',
          target,
          resources: booking.resources,
          ...marked(`reassigned ${booking.id}`),
        })
        break
      }
      default: {
        const booking = bookings[whom % bookings.length]
        // Only providers that name meetings tell of them as a whole.
        const mark = does === 'start' && manner !== 'links' ? 'update' : does
        if (booking) say(markOf(mark, booking, flag, marked(`${mark} ${booking.id}`)))
      }
    }
  }
  return { facts, bookings, isDoubleBooked }
}

function markOf(
  does: Action['does'],
  { id, meetingId }: TrueBooking,
  flag: boolean,
  common: { occurredUs: number; key: string },
): Saying {
  switch (does) {
    case 'no-show':
      return { kind: 'no_show', target: id, noShow: flag, ...common }
    case 'pay': {
      const payment = { amount: '50.00', currency: 'EUR', paid: true, reference: common.key }
      return { kind: 'paid', target: id, details: { payment }, ...common }
    }
    case 'start':
      return { kind: 'started', target: meeting(meetingId), ...common }
    default:
      return { kind: 'updated', target: id, details: { booking: { title: common.key } }, ...common }
  }
}
