import type { Known, Slot } from './decision.js'
import type { Fact } from './fact.js'
import { foldFacts } from './fold.js'
import { factsWith } from './known-facts.js'
import { distinctSlots, slotsWanted } from './slot.js'

/**
 * Every slot that deciding this fact may free, take or wait for: what the bookings want with it, and what their rows hold or
 * wait for without it. To be locked, in this order, before `decide` or `promote`.
 */
export function slotsConcerned(known: Pick<Known, 'facts' | 'bookings' | 'waiting'>, fact: Fact): Slot[] {
  const after = foldFacts(factsWith(known, fact)).bookings
  return distinctSlots([
    ...[...after.values()].flatMap(slotsWanted),
    ...known.bookings.flatMap(slotsWanted),
    ...known.waiting.flatMap(({ slots }) => slots),
  ])
}
