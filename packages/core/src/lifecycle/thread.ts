/** A booking as a link of the chain that reschedules make. */
interface Link {
  id: string
  previousId: string | null
  nextId: string | null
}

/** The bookings that this one replaced, one after another, nearest first. */
export function earlierOf<Booking extends Link>(
  bookings: ReadonlyMap<string, Booking>,
  id: string,
): Booking[] {
  return follow(bookings, id, 'previousId')
}

/** The last booking of the chain: the one itself where nothing replaced it. */
export function newestOf<Booking extends Link>(
  bookings: ReadonlyMap<string, Booking>,
  booking: Booking,
): Booking {
  return follow(bookings, booking.id, 'nextId').at(-1) ?? booking
}

/** The chain's name: its oldest booking known. */
export function threadOf(bookings: ReadonlyMap<string, Link>, id: string): string {
  return earlierOf(bookings, id).at(-1)?.id ?? id
}

/** True where making `next` the successor of `old` would close a circle. */
export function wouldCircle(bookings: ReadonlyMap<string, Link>, old: Link, next: Link): boolean {
  return (
    old.id === next.id ||
    follow(bookings, old.id, 'previousId').some(({ id }) => id === next.id) ||
    follow(bookings, next.id, 'nextId').some(({ id }) => id === old.id)
  )
}

function follow<Booking extends Link>(
  bookings: ReadonlyMap<string, Booking>,
  id: string,
  direction: 'previousId' | 'nextId',
): Booking[] {
  const found: Booking[] = []
  let next = bookings.get(id)?.[direction] ?? null
  while (next !== null) {
    const booking = bookings.get(next)
    if (!booking) break
    found.push(booking)
    next = booking[direction]
  }
  return found
}
