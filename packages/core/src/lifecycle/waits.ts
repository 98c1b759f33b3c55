import type { Rows } from './booking-rows.js'
import type { StoredBooking, Waiting } from './decision.js'
import type { Folding } from './fold.js'
import { slotKey, slotsWanted } from './slot.js'

/** The bookings that wait in this event: it is about them, and waits for every slot that they want. */
export function waitersIn(
  event: Pick<Waiting, 'bookingId' | 'fact' | 'slots'>,
  rows: Rows,
  after: Pick<Folding, 'touched'>,
): StoredBooking[] {
  const slots = new Set(event.slots.map(slotKey))
  const about = new Set([event.bookingId, ...(after.touched.get(event.fact.key)?.targets ?? [])])
  return [...about]
    .flatMap(id => rows.get(id) ?? [])
    .filter(row => row.waits && slotsWanted(row).every(slot => slots.has(slotKey(slot))))
}
