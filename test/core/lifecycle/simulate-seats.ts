import type { Fact, FactKind, Target } from '@booking-webhooks/core'
import { fact, meeting, person, type Saying } from './facts.js'
import type { History } from './simulate-bookings.js'

/** One thing that somebody does with seats of a shared meeting. What is meant is taken from the numbers, modulo what there is. */
export interface SeatAction {
  does: (typeof seatDeeds)[number]
  who: number
  where: number
  slot: number
  gap: number
  /** How the body names the seat: by its id, not at all, or so that it is not even told that there are seats. */
  names: 'seat' | 'nobody' | 'meeting'
}

export const seatDeeds = [
  'open',
  'open',
  'join',
  'join',
  'join',
  'leave',
  'leave',
  'cancel all by name',
  'cancel the meeting',
  'move the meeting',
  'move the meeting',
  'put onto another',
  'move alone',
  'change over',
  'change over',
  'no-show',
  'pay',
  'relocate',
  'reassign',
  'start',
  'say again',
] as const

export interface SeatPlan {
  actions: SeatAction[]
  slots: number
  hosts: number
  doubleBooks: boolean
}

interface Seat {
  id: string
  who: string
  meetingId: string
  status: 'confirmed' | 'canceled' | 'rescheduled'
}

interface Shared {
  id: string
  startsUs: number
  endsUs: number
  resources: string[]
}

const persons = ['ann', 'bob', 'cy', 'dee']

/**
 * Runs a plan at a make-believe Cal.com with seats, and tells of it as its bodies do: mostly by person. Who comes into a meeting
 * for the second time is named by the seat: otherwise the create of the second visit may be taken for one of the first, and
 * what is told of the two is in order only within each.
 */
export function simulateSeats({ actions, slots, hosts, doubleBooks }: SeatPlan): History {
  const facts: Fact[] = []
  const seats: Seat[] = []
  const meetings: Shared[] = []
  let isDoubleBooked = false
  let nowUs = 1_000

  const say = (kind: FactKind, target: Target, saying: Partial<Saying> = {}): void => {
    facts.push(
      fact({ ...saying, kind, target, occurredUs: nowUs, key: `${facts.length + 1} ${saying.key ?? kind}` }),
    )
  }
  const at = ({ id, startsUs, endsUs, resources }: Shared) => ({ meetingId: id, startsUs, endsUs, resources })
  const activeIn = ({ id }: Shared) =>
    seats.filter(seat => seat.meetingId === id && seat.status === 'confirmed')
  const everIn = ({ id }: Shared) => seats.filter(seat => seat.meetingId === id)
  const pick = <Item>(items: readonly Item[], number: number): Item | undefined =>
    items[number % items.length]
  const isTaken = (one: Pick<Shared, 'startsUs' | 'resources'> & { id?: string }): boolean =>
    meetings.some(
      other =>
        other.id !== one.id &&
        other.startsUs === one.startsUs &&
        other.resources.some(resource => one.resources.includes(resource)) &&
        activeIn(other).length > 0,
    )
  const isPossible = (one: Pick<Shared, 'startsUs' | 'resources'> & { id?: string }): boolean => {
    if (!isTaken(one)) return true
    isDoubleBooked ||= doubleBooks
    return doubleBooks
  }

  const visits = new Map<string, number>()
  const visit = ({ id }: Shared, alias: string): number => {
    const count = (visits.get(`${alias} in ${id}`) ?? 0) + 1
    visits.set(`${alias} in ${id}`, count)
    return count
  }

  for (const { does, who, where, slot, gap, names } of actions) {
    nowUs += 1 + gap
    const live = meetings.filter(one => activeIn(one).length > 0)
    const here = pick(live, where)
    const seat = here && pick(activeIn(here), who)
    const startsUs = 1_000_000 * (1 + (slot % slots))
    // Ends differ by a few µs, so that a told booking shows which move its times are from.
    const somewhere = { startsUs, endsUs: startsUs + 1 + facts.length, resources: [`host ${slot % hosts}`] }
    /** A body names the meeting alone only where the seats of it are known by then. */
    const namedIn = (one: Shared, id: string): string | null => {
      if (names === 'seat') return id
      return names === 'meeting' && everIn(one).length > 0 ? one.id : null
    }
    const book = (one: Shared, alias: string, previous: Target | null = null): void => {
      const newId = `${one.id}~${alias}@${nowUs}`
      const seatId = `seat ${seats.length + 1}`
      // Bodies of a create say whether there are seats.
      const isKnown = visit(one, alias) > 1
      const named = names === 'seat' || isKnown ? seatId : null
      seats.push({
        id: named === seatId ? seatId : newId,
        who: alias,
        meetingId: one.id,
        status: 'confirmed',
      })
      say('created', person(one.id, alias, { named, newId }), {
        alias,
        previous,
        ...at(one),
        key: `created ${alias}`,
      })
    }
    const anew = (): Shared => ({ id: `meeting ${meetings.length + 1}`, ...somewhere })

    switch (does) {
      case 'open': {
        const one = anew()
        if (!isPossible(one)) break
        meetings.push(one)
        book(one, pick(persons, who)!)
        break
      }
      case 'join': {
        const alias = pick(persons, who)!
        if (!here || activeIn(here).some(other => other.who === alias)) break
        book(here, alias)
        break
      }
      case 'say again': {
        // A second subscription's copy, of a kind that does not name the seat.
        if (!seat || !here || visits.get(`${seat.who} in ${here.id}`) !== 1) break
        visit(here, seat.who)
        const newId = `${here.id}~${seat.who}@${nowUs}`
        say('created', person(here.id, seat.who, { newId }), {
          alias: seat.who,
          ...at(here),
          key: `again ${seat.who}`,
        })
        break
      }
      case 'leave': {
        if (!seat || !here) break
        const named = namedIn(here, seat.id)
        seat.status = 'canceled'
        say('canceled', person(here.id, seat.who, { named }), {
          alias: seat.who,
          key: `canceled ${seat.who}`,
        })
        break
      }
      case 'cancel all by name': {
        if (!here) break
        for (const one of activeIn(here)) {
          one.status = 'canceled'
          say('canceled', person(here.id, one.who), { alias: one.who, key: `canceled ${one.who}` })
        }
        break
      }
      case 'cancel the meeting': {
        if (!here) break
        for (const one of activeIn(here)) one.status = 'canceled'
        say('canceled', meeting(here.id), { key: `canceled ${here.id}` })
        break
      }
      case 'move the meeting': {
        if (!here || !isPossible({ ...here, ...somewhere })) break
        Object.assign(here, somewhere)
        say('moved', meeting(here.id), { ...at(here), key: `moved ${here.id}` })
        break
      }
      case 'put onto another': {
        const onto = pick(
          live.filter(one => one !== here),
          slot,
        )
        if (!here || !onto) break
        for (const one of activeIn(here))
          if (activeIn(onto).some(other => other.who === one.who)) one.status = 'canceled'
          else {
            one.meetingId = onto.id
            visit(onto, one.who)
          }
        say('moved', meeting(here.id), { ...at(onto), key: `moved ${here.id} onto ${onto.id}` })
        break
      }
      case 'move alone': {
        const one = anew()
        if (!seat || !here || !isPossible(one)) break
        seat.status = 'rescheduled'
        meetings.push(one)
        book(one, seat.who, person(here.id, seat.who))
        break
      }
      case 'change over': {
        const onto = pick(
          live.filter(one => one !== here),
          slot,
        )
        if (!seat || !here || !onto) break
        if (activeIn(onto).some(other => other.who === seat.who)) break
        seat.meetingId = onto.id
        visit(onto, seat.who)
        const newId = `${onto.id}~${seat.who}@${nowUs}`
        const isNamed = seat.id.startsWith('seat')
        const target = isNamed
          ? person(onto.id, seat.who, { named: seat.id, newId })
          : person(here.id, seat.who, { newId })
        const previous = isNamed ? person(here.id, seat.who) : null
        say('moved', target, { alias: seat.who, previous, ...at(onto), key: `moved ${seat.who}` })
        break
      }
      case 'no-show': {
        const one = pick(seats, who)
        if (!one) break
        const kind = slot % 2 ? 'no_show' : 'updated'
        const target = person(one.meetingId, one.who, { named: one.meetingId })
        say(kind, target, { alias: one.who, noShow: slot % 2 === 1, key: `${kind} ${one.who}` })
        break
      }
      case 'pay': {
        const one = pick(seats, who)
        if (!one) break
        const payment = { amount: '5.00', currency: 'EUR', paid: true, reference: `${nowUs}` }
        const named = names === 'seat' ? one.id : one.meetingId
        say('paid', person(one.meetingId, one.who, { named }), { alias: one.who, details: { payment } })
        break
      }
      case 'reassign': {
        if (!here || !isPossible({ ...here, resources: somewhere.resources })) break
        here.resources = somewhere.resources
        say('reassigned', meeting(here.id), { resources: here.resources })
        break
      }
      case 'relocate':
        if (here) say('updated', meeting(here.id), { details: { booking: { title: `at ${nowUs}` } } })
        break
      case 'start':
        if (here) say('started', meeting(here.id))
        break
    }
  }
  const places = new Map(meetings.map(one => [one.id, one]))
  return {
    facts,
    bookings: seats.map(seat => ({ ...places.get(seat.meetingId)!, ...seat })),
    isDoubleBooked,
  }
}
