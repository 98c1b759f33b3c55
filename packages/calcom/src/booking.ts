import {
  type Attendee,
  type BookingDetails,
  idOrNull,
  numberOrNull,
  objectsIn,
  textOrNull,
} from '@booking-webhooks/core'
import { answerIn, answersOf } from './answers.js'
import { hostsOf } from './hosts.js'
import { linksOf } from './links.js'
import { locationOf } from './location.js'
import type { CalcomAttendee, CalcomPayload } from './payload.js'
import type { Named, Reach } from './reach.js'
import { seatIdOf, seatingOf } from './seating.js'

/** What a body says of a booking; what it leaves out is left out here. `isAlone` where nobody else is told of by the same body. */
export function bookingDetails(delivery: Named, reach: Reach, isAlone: boolean): Partial<BookingDetails> {
  const { payload } = delivery
  const title = textOrNull(payload.title) ?? textOrNull(payload.eventTitle)
  const hosts = hostsOf(payload)
  const location = locationOf(payload)
  return {
    ...(title !== null && { title }),
    ...(hosts.length > 0 && { hosts }),
    ...(location && saysWhere(reach, location.url) && { location }),
    ...personDetails(delivery, reach, isAlone),
  }
}

function personDetails({ payload, uid }: Named, reach: Reach, isAlone: boolean): Partial<BookingDetails> {
  const isSeated = seatingOf(payload) === 'seated'
  const listed = objectsIn<CalcomAttendee>(payload.attendees)
  const isSomebody = isSeated || reach.target.kind === 'person'
  const row = reach.person?.attendee ?? (isSomebody ? undefined : listed[0])
  // More than one person without a word of seats: only the first may be who booked.
  if (!row || (!isSeated && !isAlone && row !== listed[0])) return {}
  const attendee = attendeeOf(row)
  const answers = isAlone && speaksOf(payload, attendee) ? answersOf(payload.responses) : []
  const isOver = reach.kind === 'canceled' || reach.kind === 'rejected'
  const isTrusted = reach.target.kind !== 'person' || reach.target.named === seatIdOf(payload)
  const seat = isTrusted ? idOrNull(payload.attendeeSeatId) : null
  const isOwn = seat !== null || isAllThereIs(payload, reach)
  const links = isOver || !isOwn ? null : linksOf(payload, uid, seat)
  return {
    attendee,
    ...(attendee.timeZone !== null && { timeZone: attendee.timeZone }),
    ...(tellsGuests(payload, reach) && { guests: guestsOf(listed, row) }),
    ...(answers.length > 0 && { answers }),
    ...(links && { links }),
    ...(isSeated && { seats: { id: seat, capacity: numberOrNull(payload.seatsPerTimeSlot), taken: null } }),
  }
}

/** Links without a seat cancel or move the meeting, and everyone in it. A mark that says nothing of seats may be about one. */
function isAllThereIs(payload: CalcomPayload, { kind }: Reach): boolean {
  const seating = seatingOf(payload)
  return seating === 'unseated' || (seating === 'unknown' && isPlacing(kind))
}

/** In a body that says nothing of seats, the others may be those who sit there too; but seats are given out one by one. */
function tellsGuests(payload: CalcomPayload, { kind, target }: Reach): boolean {
  const seating = seatingOf(payload)
  const isOne = target.kind === 'meeting' || isPlacing(kind)
  return seating === 'unseated' || (seating === 'unknown' && isOne)
}

function isPlacing(kind: Reach['kind']): boolean {
  return kind === 'requested' || kind === 'created' || kind === 'moved'
}

/** Ends and marks may have lost the join URL (a cancel has no metadata): what was known stays. */
function saysWhere({ kind }: Reach, url: string | null): boolean {
  return url !== null || !['canceled', 'rejected', 'paid', 'started', 'ended'].includes(kind)
}

/** In queued bodies of seats the answers are the first seat's, whosever the body is. */
function speaksOf(payload: CalcomPayload, { email }: Attendee): boolean {
  const answered = answerIn(payload.responses, 'email')
  return (
    typeof answered !== 'string' ||
    email === null ||
    answered.trim().toLowerCase() === email.trim().toLowerCase()
  )
}

function attendeeOf(row: CalcomAttendee): Attendee {
  const parts = [textOrNull(row.firstName), textOrNull(row.lastName)].filter(Boolean)
  return {
    name: textOrNull(row.name) ?? textOrNull(parts.join(' ')),
    email: textOrNull(row.email),
    phone: textOrNull(row.phoneNumber),
    timeZone: textOrNull(row.timeZone),
  }
}

function guestsOf(listed: CalcomAttendee[], booker: CalcomAttendee): BookingDetails['guests'] {
  return listed
    .filter(one => one !== booker)
    .map(({ name, email }) => ({ name: textOrNull(name), email: textOrNull(email) }))
}
