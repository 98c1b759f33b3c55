import type { Decision, Known, Slot, StoredBooking, Waiting } from './decision.js'
import { compareFacts, type Fact } from './fact.js'
import { tellUnended } from './loose-ends.js'
import { rule } from './rule.js'
import { nearestUnended, rowOf, type Scene, sceneOf } from './scene.js'
import { distinctSlots, holderOf, isSameHolder, slotKey } from './slot.js'
import { isOfOneThatIsThere, replacedBy, type Standing } from './tell-standing.js'
import { waitersIn } from './waits.js'

/** Another event that waits for a slot of the same resource and start, of whatever provider. */
export type Rival = Waiting & { provider: string; account: string }

/**
 * Looks again at an event that waits. Null where it must go on waiting: a slot is held by another meeting, or one that waits
 * longer, by the provider's time, could take its slots and goes first. Otherwise the event is accepted and told, with `previous`
 * as last told; or it waits no longer, because its booking has ended by `known.nowUs` or wants another slot.
 * `others` are all that wait for any of its slots; `known.slots` must say who holds theirs too.
 */
export function promote(known: Known, waiting: Waiting, others: readonly Rival[]): Decision | null {
  const settled = sceneOf(known, waiting.fact, { slots: true })
  const waiters = waitersIn(waiting, settled.rows, settled.after).map(({ id }) => id)
  if (waiters.length === 0)
    return giveUp(settled, waiting, 'It waits no longer: its booking wants another slot now.')
  const current = waiters.filter(id => !hasEnded(rowOf(settled, id), known.nowUs))
  if (current.length === 0)
    return giveUp(settled, waiting, 'It waits no longer: its booking has ended without the slot.')
  if (firstInLine(known, waiting, others) !== null) return null

  const scene = sceneOf(known, waiting.fact, { slots: true, retried: new Set(current) })
  if (scene.assignment.blocked.size > 0) return null
  for (const [index, id] of inOrder(waiting, current).entries()) {
    const booking = rowOf(scene, id)
    scene.tell({ booking, ...standingOnceFree(scene, waiting, booking), suffix: index === 0 ? '' : `|${id}` })
  }
  tellUnended(scene, id => `|${id}`)
  const decision = rule(scene, current, { outcome: 'accepted', reason: 'Its slot is free now.' })
  // Whoever let one of them go first has to be looked at again: it may no longer be able to.
  const passed = others.filter(({ slots }) => overlaps(slots, decision.take)).flatMap(({ slots }) => slots)
  return { ...decision, wake: distinctSlots([...decision.wake, ...passed]) }
}

/**
 * The event for which this one must wait although its slots may be free: it is older by the provider's time, of another meeting,
 * and could take its slots. Null where it is this one's turn.
 */
export function firstInLine(known: Known, waiting: Waiting, others: readonly Rival[]): Rival | null {
  const self: Rival = { ...waiting, provider: known.provider, account: known.account }
  const holders = new Map(known.slots.map(slot => [slotKey(slot), slot]))
  const isAble = (rival: Rival): boolean =>
    rival.slots.every(slot => {
      const holder = holders.get(slotKey(slot))
      return !holder || isSameHolder(holder, meetingOf(rival))
    })
  return (
    others.find(
      rival =>
        rival.eventId !== self.eventId &&
        compareRivals(rival, self) < 0 &&
        overlaps(rival.slots, self.slots) &&
        !isSameHolder(meetingOf(rival), meetingOf(self)) &&
        !hasEnded(rival.fact, known.nowUs) &&
        isAble(rival),
    ) ?? null
  )
}

function standingOnceFree(scene: Scene, waiting: Waiting, booking: StoredBooking): Standing {
  const isInPlace = isOfOneThatIsThere(waiting.fact)
  const nearest = nearestUnended(scene, booking.id)
  if (nearest) return { type: 'booking.rescheduled', previousId: nearest.id }
  const isNew = booking.id === waiting.bookingId ? waiting.wanted !== 'booking.rescheduled' : !isInPlace
  if (isNew) return { type: 'booking.created', previousId: null }
  if (isInPlace) return { type: 'booking.rescheduled', previousId: booking.id }
  const previousId = replacedBy(scene, booking) ?? booking.previousId ?? booking.id
  return { type: 'booking.rescheduled', previousId }
}

function giveUp(scene: Scene, waiting: Waiting, reason: string): Decision {
  const decision = rule(scene, [waiting.bookingId], { outcome: 'conflict', reason })
  return { ...decision, wake: distinctSlots([...decision.wake, ...waiting.slots]) }
}

function inOrder({ bookingId }: Waiting, ids: readonly string[]): string[] {
  return [...ids].sort((a, b) => Number(b === bookingId) - Number(a === bookingId) || (a < b ? -1 : 1))
}

function hasEnded({ startsUs, endsUs }: Pick<Fact, 'startsUs' | 'endsUs'>, nowUs: number): boolean {
  const end = endsUs ?? startsUs
  return end !== null && end <= nowUs
}

function meetingOf({ provider, account, bookingId, fact }: Rival) {
  const target = fact.target.kind === 'booking' ? null : fact.target.meetingId
  return holderOf({ provider, account }, { id: bookingId, meetingId: fact.meetingId ?? target })
}

function compareRivals(a: Rival, b: Rival): number {
  const order = compareFacts(a.fact, b.fact)
  return order !== 0 ? order : a.eventId < b.eventId ? -1 : 1
}

function overlaps(a: readonly Slot[], b: readonly Slot[]): boolean {
  const keys = new Set(a.map(slotKey))
  return b.some(slot => keys.has(slotKey(slot)))
}
