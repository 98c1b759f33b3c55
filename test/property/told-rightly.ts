import { expect } from 'chai'
import type { Told } from './told.js'

/** A calendar that does what the quick start does ends right; and no booking is told backwards. */
export function expectToldRightly(
  told: Told[],
  bookings: { id: string; status: string; startsAt: string | null }[],
): void {
  const calendar = new Map<string, string | null>()
  const ended = new Set<string>()
  for (const { type, booking: id, startsAt, previous } of told) {
    if (id === null) continue
    const begins = type === 'booking.created' || type === 'booking.rescheduled'
    if (begins) expect(ended.has(id), `${type} ${id} after its end was told`).to.equal(false)
    if (type === 'booking.created') calendar.set(id, startsAt)
    if (type === 'booking.rescheduled' && previous !== null) {
      calendar.delete(previous)
      if (previous !== id) ended.add(previous)
      calendar.set(id, startsAt)
    }
    if (type === 'booking.canceled') {
      calendar.delete(id)
      ended.add(id)
    }
    if (type === 'booking.conflict' && previous !== null) calendar.delete(previous)
  }
  const expected = bookings
    .filter(({ status }) => status === 'confirmed')
    .map(({ id, startsAt }) => [id, startsAt])
  expect(Object.fromEntries(calendar)).to.deep.equal(Object.fromEntries(expected))
}
