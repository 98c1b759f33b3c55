import {
  booleanOrNull,
  type FactKind,
  hashParts,
  idOrNull,
  objectOrNull,
  type PersonTarget,
  type Target,
  textOrNull,
} from '@booking-webhooks/core'
import type { Delivery } from './delivery.js'
import { aliasOf, bookersOf, type Hash, type Person, personsOf } from './person.js'
import { seatBooking, seatIdOf, seatingOf } from './seating.js'
import type { Trigger } from './trigger.js'

/** What one body does to one of those that it is about. */
export interface Reach {
  kind: FactKind
  target: Target
  previous: Target | null
  /** The meeting afterwards. */
  meetingId: string
  person: Person | null
  noShow: boolean | null
  /** True where others of the meeting may be meant too: the API knows. */
  isPartial: boolean
}

/** A delivery that names its meeting. */
export type Named = Delivery & { uid: string }

/** Whom a delivery is about, one by one; or why that cannot be told, as the end of a sentence. */
export function reachesOf(delivery: Named, trigger: Trigger, hash: Hash): Reach[] | { problem: string } {
  switch (trigger.kind) {
    case 'no_show':
      return noShows(delivery, hash)
    case 'paid':
      return [payment(delivery, hash)]
    case 'created':
    case 'requested':
    case 'moved':
      return bookings(delivery, trigger, hash)
    case 'canceled':
    case 'rejected':
      return ends(delivery, trigger, hash)
    default:
      return [reach(trigger.kind, meeting(delivery.uid), delivery)]
  }
}

function noShows(delivery: Named, hash: Hash): Reach[] | { problem: string } {
  const { uid } = delivery
  const reaches = personsOf(delivery.payload, hash).flatMap(person => {
    const noShow = booleanOrNull(person.attendee.noShow)
    // Taken back, it is no longer a no-show that subscribers should act on.
    const kind = noShow ? 'no_show' : 'updated'
    // A guest of a booking without seats has none of his own: then the meeting's is meant.
    const target = personIn(uid, person.alias, uid)
    return noShow === null ? [] : [{ ...reach(kind, target, delivery), person, noShow }]
  })
  return reaches.length > 0 ? reaches : { problem: 'it names no attendee who came or did not' }
}

/** The body never says whether there are seats, so the payer is looked for among them. */
function payment(delivery: Named, hash: Hash): Reach {
  const { payload, uid } = delivery
  const persons = personsOf(payload, hash)
  const email = textOrNull(objectOrNull<{ bookerEmail: string }>(payload.metadata)?.bookerEmail)
  const only = persons.length === 1 ? persons[0] : undefined
  const alias = email === null ? only?.alias : aliasOf(email, hash)
  const person = persons.find(one => one.alias === alias) ?? null
  const seat = seatIdOf(payload)
  if (seatingOf(payload) === 'unseated')
    return { ...reach('paid', booking(uid), delivery), person: persons[0] ?? null }
  if (alias !== undefined) return { ...reach('paid', personIn(uid, alias, seat ?? uid), delivery), person }
  return reach('paid', seat === null ? meeting(uid) : booking(seat), delivery)
}

function bookings(delivery: Named, { kind }: Trigger, hash: Hash): Reach[] | { problem: string } {
  const { payload, uid } = delivery
  const from = idOrNull(payload.rescheduleUid)
  if (kind === 'moved' && from === uid) return [reach(kind, meeting(uid), delivery)]
  const previousUid = from === uid ? null : from
  const becomes = kind === 'moved' && payload.status === 'PENDING' ? 'requested' : kind
  // Without seats, a reschedule makes a new booking.
  const makes = becomes === 'moved' && previousUid !== null ? 'created' : becomes
  const bookers = bookersOf(payload, hash)
  const [first] = bookers

  switch (seatingOf(payload)) {
    case 'unseated':
      return [
        {
          ...reach(makes, booking(uid), delivery, previousUid && booking(previousUid)),
          person: first ?? null,
        },
      ]
    case 'unknown': {
      if (!first) return [reach(makes, booking(uid), delivery, previousUid && booking(previousUid))]
      const target = personIn(uid, first.alias, uid, newId(delivery, first))
      const previous = previousUid && personIn(previousUid, first.alias, previousUid)
      return [{ ...reach(makes, target, delivery, previous), person: first }]
    }
    case 'seated':
      return seats(delivery, becomes, previousUid, bookers)
  }
}

function seats(
  delivery: Named,
  kind: FactKind,
  previousUid: string | null,
  bookers: Person[],
): Reach[] | { problem: string } {
  const { payload, uid } = delivery
  const seat = seatIdOf(payload)
  const [first] = bookers
  const one = (person: Person, named: string | null): Reach => ({
    ...reach(kind, personIn(uid, person.alias, named, newId(delivery, person)), delivery),
    previous: previousUid === null ? null : seatIn(previousUid, person.alias),
    person,
  })
  if (!first) return seat === null ? nobody : [reach(kind, booking(seat), delivery)]
  if (kind !== 'moved')
    return bookers.length === 1 ? [one(first, seat)] : bookers.map(person => one(person, null))
  if (seat !== null) return [one(first, seat)]
  if (previousUid === null) return bookers.map(person => one(person, null))
  // The owner put a whole meeting where another one was: the list is that one's. A single name may be one seat of several.
  if (bookers.length > 1) return [reach(kind, meeting(previousUid), delivery)]
  const target = personIn(previousUid, first.alias, null, newId(delivery, first))
  return [{ ...reach(kind, target, delivery), person: first, isPartial: true }]
}

function ends(delivery: Named, { kind }: Trigger, hash: Hash): Reach[] | { problem: string } {
  const { payload, uid } = delivery
  const persons = personsOf(payload, hash)
  const seat = seatIdOf(payload)
  switch (seatingOf(payload)) {
    case 'unseated':
      return [{ ...reach(kind, booking(uid), delivery), person: persons[0] ?? null }]
    case 'unknown': {
      const bookers = bookersOf(payload, hash)
      if (bookers.length === 0) return [reach(kind, booking(uid), delivery)]
      return bookers.map(person => ({ ...reach(kind, personIn(uid, person.alias, uid), delivery), person }))
    }
    case 'seated': {
      const partial = { isPartial: true }
      const [first] = persons
      if (seat !== null && (!first || persons.length > 1))
        return [{ ...reach(kind, booking(seat), delivery), ...partial }]
      if (persons.length === 0) return nobody
      return persons.map(person => ({
        ...reach(kind, personIn(uid, person.alias, seat), delivery),
        person,
        ...partial,
      }))
    }
  }
}

const nobody = { problem: 'it is about a seat and names nobody' }

function reach(kind: FactKind, target: Target, { uid }: Named, previous: Target | null | '' = null): Reach {
  return {
    kind,
    target,
    previous: previous || null,
    meetingId: uid,
    person: null,
    noShow: null,
    isPartial: false,
  }
}

function booking(id: string): Target {
  return { kind: 'booking', id }
}

function meeting(meetingId: string): Target {
  return { kind: 'meeting', meetingId }
}

function personIn(
  meetingId: string,
  alias: string,
  named: string | null,
  newIdOrNull: string | null = null,
): PersonTarget {
  return { kind: 'person', meetingId, alias, named, newId: newIdOrNull }
}

/** Uids are short; whether a seat's id (a UUID) is ever sent in place of one is not documented. */
function seatIn(uid: string, alias: string): Target {
  const seat = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uid) ? seatBooking(uid) : null
  return seat === null ? personIn(uid, alias, null) : booking(seat)
}

/** Names a person's booking where the provider does not: a person may leave and come back, so the time is part of it. */
function newId({ uid, createdUs, bodyHash }: Named, { alias }: Person): string {
  const since = createdUs === null ? bodyHash.slice(0, 16) : Math.floor(createdUs / 1000)
  const id = `${uid}~${alias}@${since}`
  return idOrNull(id) ?? `${hashParts(uid).slice(0, 32)}~${alias}@${since}`
}
