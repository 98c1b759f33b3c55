import { idOrNull, type Target } from '@booking-webhooks/core'
import { bookersOf, type Hash, type Person, personsOf } from './person.js'
import { type Named, namesNobody, type Reach, type Reaches, reach } from './reach.js'
import { seatIdOf, seatingOf } from './seating.js'
import { bookingTarget, meetingTarget, newIdFor, personTarget, seatLeft } from './target.js'

/** What gives a booking its place. A move that waits for the host's yes is a request. */
type Placing = 'requested' | 'created' | 'moved'

/** Who is given a time, or another one. */
export function placeReaches(delivery: Named, kind: Placing, hash: Hash): Reaches {
  const { payload, uid } = delivery
  const from = idOrNull(payload.rescheduleUid)
  if (kind === 'moved' && from === uid) return [reach(kind, meetingTarget(uid), delivery)]
  const previousUid = from === uid ? null : from
  const becomes = kind === 'moved' && payload.status === 'PENDING' ? 'requested' : kind
  if (seatingOf(payload) === 'seated') return seatPlaces(delivery, becomes, previousUid, hash)
  // Without seats, a reschedule makes a new booking.
  const makes = becomes === 'moved' && previousUid !== null ? 'created' : becomes
  const [person = null] = bookersOf(payload, hash)
  const mayHaveSeats = seatingOf(payload) === 'unknown' && person !== null
  return [
    mayHaveSeats
      ? perhapsASeat(delivery, makes, person, previousUid)
      : plain(delivery, makes, person, previousUid),
  ]
}

function plain(delivery: Named, kind: Placing, person: Person | null, previousUid: string | null): Reach {
  const previous = previousUid === null ? null : bookingTarget(previousUid)
  return reach(kind, bookingTarget(delivery.uid), delivery, { previous, person })
}

/** Only the fold sees whether the meeting has seats: then the booking is the person's, else the meeting's own. */
function perhapsASeat(delivery: Named, kind: Placing, person: Person, previousUid: string | null): Reach {
  const { alias } = person
  const target = personTarget(delivery.uid, alias, delivery.uid, newIdFor(delivery, alias))
  const previous = previousUid === null ? null : personTarget(previousUid, alias, previousUid)
  return reach(kind, target, delivery, { previous, person })
}

function seatPlaces(delivery: Named, kind: Placing, previousUid: string | null, hash: Hash): Reaches {
  const { payload } = delivery
  const seat = seatIdOf(payload)
  const bookers = bookersOf(payload, hash)
  const [first] = bookers
  if (!first) return seat === null ? namesNobody : [reach(kind, bookingTarget(seat), delivery)]
  const previous = (alias: string): Target | null =>
    previousUid === null ? null : seatLeft(previousUid, alias)
  const placed = (person: Person, named: string | null) => {
    const { alias } = person
    const target = personTarget(delivery.uid, alias, named, newIdFor(delivery, alias))
    return reach(kind, target, delivery, { previous: previous(alias), person })
  }
  if (kind === 'moved' && seat !== null) {
    // Others who sit where it moves to may follow in the list.
    const [mover = first] = personsOf(payload, hash)
    return [placed(mover, seat)]
  }
  if (kind === 'moved' && previousUid !== null) return [wholeMove(delivery, bookers, previousUid)]
  return bookers.length === 1 ? [placed(first, seat)] : bookers.map(person => placed(person, null))
}

/** The owner put a meeting where another one was, and the list is that one's. A single name may be one seat of several. */
function wholeMove(delivery: Named, bookers: Person[], previousUid: string): Reach {
  const [person] = bookers
  if (!person || bookers.length > 1) return reach('moved', meetingTarget(previousUid), delivery)
  const target = personTarget(previousUid, person.alias, null, newIdFor(delivery, person.alias))
  return reach('moved', target, delivery, { person, isPartial: true })
}
