import {
  type BookingDetails,
  idOrNull,
  objectsIn,
  parseInstant,
  type Target,
  textOrNull,
} from '@booking-webhooks/core'
import type { Fact } from './fact.js'
import { resourcesOf, uniqueHosts } from './hosts.js'
import { placeOf } from './location.js'
import type { CalcomApiBooking, CalcomAttendee, CalcomPerson } from './payload.js'
import { aliasOf, type Hash } from './person.js'
import { bookingTarget } from './target.js'

/** A fact that the API's answer stands for. `uid` is the meeting afterwards. */
export function factFrom(
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
    resources: isEnd ? null : resourcesOf(organizerIn(booking)),
    alias: target.kind === 'booking' && email !== null ? aliasOf(email, hash) : null,
    noShow: null,
    cancellation: isEnd ? { by: kind === 'rejected' ? 'host' : 'unknown', rescheduleRequested: false } : null,
    details: {
      booking: detailsIn(booking),
      ...(kind === 'canceled' && { cancellationReason: textOrNull(booking.cancellationReason) }),
    },
  }
}

/** A delivery's fact with what its body left out, from the API's answer. */
export function completed(fact: Fact, booking: CalcomApiBooking): Fact {
  const previous = fact.previous ?? previousIn(fact, booking)
  const isMove = fact.kind === 'moved' && previous !== null && fact.previous === null
  return {
    ...fact,
    kind: isMove ? 'created' : fact.kind,
    previous,
    startsUs: fact.startsUs ?? parseInstant(booking.start),
    endsUs: fact.endsUs ?? parseInstant(booking.end),
    resources: fact.resources ?? resourcesOf(organizerIn(booking)),
    details: { ...fact.details, booking: { ...detailsIn(booking), ...fact.details?.booking } },
  }
}

/** The uid that a booking replaced. */
export function linkIn(booking: CalcomApiBooking, uid: string): string | null {
  const from = idOrNull(booking.rescheduledFromUid)
  return from === uid ? null : from
}

/** A seat's row is its meeting's, whose link may be another person's move: only a booking without seats has one of its own. */
function previousIn({ target, meetingId }: Fact, booking: CalcomApiBooking): Target | null {
  const link = meetingId === null ? null : linkIn(booking, meetingId)
  if (link === null || target.kind === 'meeting') return null
  if (target.kind === 'booking') return target.id === meetingId ? bookingTarget(link) : null
  return target.named === meetingId ? { ...target, meetingId: link, named: link, newId: null } : null
}

function detailsIn(booking: CalcomApiBooking): Partial<BookingDetails> {
  const title = textOrNull(booking.title)
  const hosts = uniqueHosts(objectsIn<CalcomPerson>(booking.hosts))
  const location = placeOf(textOrNull(booking.location), null)
  return {
    ...(title !== null && { title }),
    ...(hosts.length > 0 && { hosts }),
    ...(location && { location }),
  }
}

function organizerIn(booking: CalcomApiBooking): CalcomPerson | null {
  return objectsIn<CalcomPerson>(booking.hosts)[0] ?? null
}
