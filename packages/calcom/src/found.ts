import {
  type InterpretedFact,
  idOrNull,
  type Micros,
  objectsIn,
  parseInstant,
  textOrNull,
} from '@booking-webhooks/core'
import { factFrom, linkIn } from './api-booking.js'
import type { Answers } from './ask.js'
import { foundKey } from './dedupe-key.js'
import type { Fact } from './fact.js'
import type { Look } from './look.js'
import type { CalcomApiBooking } from './payload.js'
import type { Hash } from './person.js'
import { bookingTarget, meetingTarget } from './target.js'

/** The events that a second look found, under the keys that webhooks would have had: one that comes after all is a repeat. */
export function foundBy(look: Look, answers: Answers, hash: Hash): InterpretedFact[] {
  const { booking } = answers
  if (!booking) return []
  switch (look.at) {
    case 'series':
      return objectsIn<CalcomApiBooking>(answers.series).flatMap(one => alike(look, one, hash) ?? [])
    case 'meeting':
    case 'rest':
      return [ended(look, booking, hash) ?? merged(look, booking, answers.next ?? null, hash)].filter(isFound)
    case 'link':
      return [linked(look, booking, hash)].filter(isFound)
  }
}

const ends = {
  created: { status: 'accepted', key: 'CREATED' },
  canceled: { status: 'cancelled', key: 'CANCELLED' },
  rejected: { status: 'rejected', key: 'REJECTED' },
} as const

/** Another booking of the series to which the same happened. One that was moved is over for another reason. */
function alike(look: Look, booking: CalcomApiBooking, hash: Hash): InterpretedFact | null {
  const uid = idOrNull(booking.uid)
  const { change } = look
  if (uid === null || uid === look.uid || textOrNull(booking.rescheduledToUid) !== null) return null
  if (change !== 'created' && change !== 'canceled' && change !== 'rejected') return null
  const { status, key } = ends[change]
  if (booking.status !== status) return null
  const attendees = objectsIn<{ seatUid: string }>(booking.attendees)
  const hasSeats = attendees.some(one => textOrNull(one.seatUid) !== null)
  // Who sits there is told by the creates of the seats.
  if (hasSeats && change === 'created') return null
  const fact = factFrom(change, uid, hasSeats ? meetingTarget(uid) : bookingTarget(uid), booking, hash)
  return found(foundKey(key, hasSeats ? `${uid}*` : uid), fact, changedUs(booking, look), booking)
}

/** The meeting is over for everyone, although the body named only some. */
function ended(look: Look, booking: CalcomApiBooking, hash: Hash): InterpretedFact | null {
  const { uid } = look
  if (booking.status !== 'cancelled' || textOrNull(booking.rescheduledToUid) !== null) return null
  const fact = factFrom('canceled', uid, meetingTarget(uid), booking, hash)
  const isRest = look.at === 'rest'
  return found(
    foundKey('CANCELLED', `${uid}*`),
    { ...fact, ...(isRest && { isRest }) },
    changedUs(booking, look),
    booking,
  )
}

/** The meeting was put onto another one with everyone in it. */
function merged(
  { uid, occurredUs }: Look,
  booking: CalcomApiBooking,
  next: CalcomApiBooking | null,
  hash: Hash,
): InterpretedFact | null {
  const nextUid = idOrNull(booking.rescheduledToUid)
  if (booking.status !== 'cancelled' || nextUid === null || !next) return null
  const fact = factFrom('moved', nextUid, meetingTarget(uid), next, hash)
  return found(foundKey('RESCHEDULED', `${uid}*`, nextUid), fact, occurredUs, next)
}

function linked(look: Look, booking: CalcomApiBooking, hash: Hash): InterpretedFact | null {
  const { uid, change, occurredUs } = look
  const link = linkIn(booking, uid)
  if (link === null) return null
  const fact = factFrom(
    change === 'requested' ? 'requested' : 'created',
    uid,
    bookingTarget(uid),
    booking,
    hash,
  )
  return found(foundKey('RESCHEDULED', uid), { ...fact, previous: bookingTarget(link) }, occurredUs, booking)
}

function found(
  key: string,
  fact: Omit<Fact, 'occurredUs'>,
  occurredUs: Micros,
  data: CalcomApiBooking,
): InterpretedFact {
  return { key, fact: { ...fact, occurredUs }, raw: { data } }
}

function changedUs({ updatedAt }: CalcomApiBooking, { occurredUs }: Look): Micros {
  return parseInstant(updatedAt) ?? occurredUs
}

function isFound(fact: InterpretedFact | null): fact is InterpretedFact {
  return fact !== null
}
