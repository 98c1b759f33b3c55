import { bookersOf, type Hash, personsOf } from './person.js'
import { type Named, namesNobody, type Reaches, reach } from './reach.js'
import { seatIdOf, seatingOf } from './seating.js'
import { bookingTarget, personTarget } from './target.js'

/** Whose booking a cancel or a rejection ends. With seats: those who are listed, and never the meeting as a whole. */
export function endReaches(delivery: Named, kind: 'canceled' | 'rejected', hash: Hash): Reaches {
  const { payload, uid } = delivery
  switch (seatingOf(payload)) {
    case 'unseated': {
      const [person = null] = personsOf(payload, hash)
      return [reach(kind, bookingTarget(uid), delivery, { person })]
    }
    case 'unknown': {
      const bookers = bookersOf(payload, hash)
      if (bookers.length === 0) return [reach(kind, bookingTarget(uid), delivery)]
      return bookers.map(person => reach(kind, personTarget(uid, person.alias, uid), delivery, { person }))
    }
    case 'seated':
      return seatEnds(delivery, kind, hash)
  }
}

function seatEnds(delivery: Named, kind: 'canceled' | 'rejected', hash: Hash): Reaches {
  const persons = personsOf(delivery.payload, hash)
  const seat = seatIdOf(delivery.payload)
  const isPartial = true
  // One seat that is named among many people is the seat; whose it is, is known.
  if (seat !== null && persons.length !== 1)
    return [reach(kind, bookingTarget(seat), delivery, { isPartial })]
  if (persons.length === 0) return namesNobody
  return persons.map(person =>
    reach(kind, personTarget(delivery.uid, person.alias, seat), delivery, { person, isPartial }),
  )
}
