import {
  type BookingDetails,
  type InterpretedFact,
  idOrNull,
  objectsIn,
  parseInstant,
  type Target,
  textOrNull,
} from '@booking-webhooks/core'
import type { Answers } from './ask.js'
import { foundKey } from './dedupe-key.js'
import type { Fact } from './fact.js'
import { resourcesOf, uniqueHosts } from './hosts.js'
import { placeOf } from './location.js'
import type { Look } from './look.js'
import type { CalcomApiBooking, CalcomAttendee, CalcomPerson } from './payload.js'
import { aliasOf, type Hash } from './person.js'

/** The events that a second look found, under the keys that webhooks would have had: one that comes after all is a repeat. */
export function foundBy(look: Look, answers: Answers, hash: Hash): InterpretedFact[] {
  const { booking } = answers
  if (!booking) return []
  switch (look.at) {
    case 'series':
      return (answers.series ?? []).flatMap(one => changed(look, one, hash) ?? [])
    case 'meeting':
      return whole(look, booking, answers.next ?? null, hash) ?? []
    case 'link':
      return linked(look, booking, hash) ?? []
  }
}

const ends = {
  created: { status: 'accepted', key: 'CREATED' },
  canceled: { status: 'cancelled', key: 'CANCELLED' },
  rejected: { status: 'rejected', key: 'REJECTED' },
} as const

/** Another booking of the series to which the same happened. One that was moved is over for another reason. */
function changed(look: Look, booking: CalcomApiBooking, hash: Hash): InterpretedFact | null {
  const uid = idOrNull(booking.uid)
  const { change } = look
  if (uid === null || uid === look.uid || textOrNull(booking.rescheduledToUid) !== null) return null
  if (change !== 'created' && change !== 'canceled' && change !== 'rejected') return null
  if (booking.status !== ends[change].status) return null
  const hasSeats = objectsIn<{ seatUid: string }>(booking.attendees).some(
    one => textOrNull(one.seatUid) !== null,
  )
  if (hasSeats && change === 'created') return null
  const target: Target = hasSeats ? { kind: 'meeting', meetingId: uid } : { kind: 'booking', id: uid }
  const occurredUs = parseInstant(booking.updatedAt) ?? look.occurredUs
  return {
    key: foundKey(ends[change].key, hasSeats ? `${uid}*` : uid),
    fact: { ...factFrom(change, uid, target, booking, hash), occurredUs },
    raw: { data: booking },
  }
}

/** Everyone's meeting ended, or moved onto another one, although the body named one person. */
function whole(
  { uid, occurredUs }: Look,
  booking: CalcomApiBooking,
  next: CalcomApiBooking | null,
  hash: Hash,
): InterpretedFact[] | null {
  if (booking.status !== 'cancelled') return null
  const target: Target = { kind: 'meeting', meetingId: uid }
  const nextUid = idOrNull(booking.rescheduledToUid)
  if (nextUid === null) {
    const fact = {
      ...factFrom('canceled', uid, target, booking, hash),
      occurredUs: parseInstant(booking.updatedAt) ?? occurredUs,
    }
    return [{ key: foundKey('CANCELLED', `${uid}*`), fact, raw: { data: booking } }]
  }
  if (!next) return null
  const fact = { ...factFrom('moved', nextUid, target, next, hash), occurredUs }
  return [{ key: foundKey('RESCHEDULED', `${uid}*`, nextUid), fact, raw: { data: next } }]
}

function linked(
  { uid, change, occurredUs }: Look,
  booking: CalcomApiBooking,
  hash: Hash,
): InterpretedFact[] | null {
  const previous = linkOf(booking, uid)
  if (previous === null) return null
  const kind = change === 'requested' ? 'requested' : 'created'
  const fact = { ...factFrom(kind, uid, { kind: 'booking', id: uid }, booking, hash), occurredUs }
  const link: Target = { kind: 'booking', id: previous }
  return [{ key: foundKey('RESCHEDULED', uid), fact: { ...fact, previous: link }, raw: { data: booking } }]
}

/** A delivery's fact with what its body left out, from the API's answer. */
export function completed(fact: Fact, booking: CalcomApiBooking): Fact {
  const link = fact.previous === null && fact.meetingId !== null ? linkOf(booking, fact.meetingId) : null
  const isMove = fact.kind === 'moved' && link !== null
  const { target } = fact
  const previous: Target | null =
    link === null || target.kind === 'meeting'
      ? fact.previous
      : target.kind === 'person'
        ? { ...target, meetingId: link, named: link, newId: null }
        : { kind: 'booking', id: link }
  return {
    ...fact,
    kind: isMove ? 'created' : fact.kind,
    previous,
    startsUs: fact.startsUs ?? parseInstant(booking.start),
    endsUs: fact.endsUs ?? parseInstant(booking.end),
    resources: fact.resources ?? resourcesOf(organizerOf(booking)),
    details: { ...fact.details, booking: { ...detailsOf(booking), ...fact.details?.booking } },
  }
}

function factFrom(
  kind: Fact['kind'],
  uid: string,
  target: Target,
  booking: CalcomApiBooking,
  hash: Hash,
): Omit<Fact, 'occurredUs'> {
  const isEnd = kind === 'canceled' || kind === 'rejected'
  const email = textOrNull(objectsIn<CalcomAttendee>(booking.attendees)[0]?.email)
  return {
    kind,
    target,
    previous: null,
    meetingId: uid,
    startsUs: parseInstant(booking.start),
    endsUs: parseInstant(booking.end),
    resources: isEnd ? null : resourcesOf(organizerOf(booking)),
    alias: target.kind === 'booking' && email !== null ? aliasOf(email, hash) : null,
    noShow: null,
    cancellation: isEnd ? { by: kind === 'rejected' ? 'host' : 'unknown', rescheduleRequested: false } : null,
    details: {
      booking: detailsOf(booking),
      ...(kind === 'canceled' && { cancellationReason: textOrNull(booking.cancellationReason) }),
    },
  }
}

function detailsOf(booking: CalcomApiBooking): Partial<BookingDetails> {
  const title = textOrNull(booking.title)
  const hosts = uniqueHosts(objectsIn<CalcomPerson>(booking.hosts))
  const location = placeOf(textOrNull(booking.location), null)
  return {
    ...(title !== null && { title }),
    ...(hosts.length > 0 && { hosts }),
    ...(location && { location }),
  }
}

function organizerOf(booking: CalcomApiBooking): CalcomPerson | null {
  return objectsIn<CalcomPerson>(booking.hosts)[0] ?? null
}

function linkOf(booking: CalcomApiBooking, uid: string): string | null {
  const from = idOrNull(booking.rescheduledFromUid)
  return from === uid ? null : from
}
