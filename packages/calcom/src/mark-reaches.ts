import { booleanOrNull, objectOrNull, textOrNull } from '@booking-webhooks/core'
import { aliasOf, type Hash, personsOf } from './person.js'
import { type Named, type Reach, type Reaches, reach } from './reach.js'
import { seatIdOf, seatingOf } from './seating.js'
import { bookingTarget, meetingTarget, personTarget } from './target.js'

/** Each attendee whom the host marked, or took the mark from. */
export function noShowReaches(delivery: Named, hash: Hash): Reaches {
  const { uid } = delivery
  const reaches = personsOf(delivery.payload, hash).flatMap(person => {
    const noShow = booleanOrNull(person.attendee.noShow)
    // Taken back, it is no longer a no-show that subscribers should act on.
    const kind = noShow ? 'no_show' : 'updated'
    // A guest of a booking without seats has none of his own: then the meeting's is meant.
    const target = personTarget(uid, person.alias, uid)
    return noShow === null ? [] : [reach(kind, target, delivery, { person, noShow })]
  })
  return reaches.length > 0 ? reaches : { problem: 'it names no attendee who came or did not' }
}

/** Who paid. The body never says whether there are seats, so the payer is looked for among them. */
export function paymentReach(delivery: Named, hash: Hash): Reach {
  const { payload, uid } = delivery
  const persons = personsOf(payload, hash)
  if (seatingOf(payload) === 'unseated')
    return reach('paid', bookingTarget(uid), delivery, { person: persons[0] ?? null })
  const email = textOrNull(objectOrNull<{ bookerEmail: string }>(payload.metadata)?.bookerEmail)
  const only = persons.length === 1 ? persons[0]?.alias : undefined
  const alias = email === null ? only : aliasOf(email, hash)
  const seat = seatIdOf(payload)
  if (alias === undefined)
    return reach('paid', seat === null ? meetingTarget(uid) : bookingTarget(seat), delivery)
  const person = persons.find(one => one.alias === alias) ?? null
  return reach('paid', personTarget(uid, alias, seat ?? uid), delivery, { person })
}
