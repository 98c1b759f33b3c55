import type { ClaimedLane } from '../inbox/lane.js'
import type { Store } from '../inbox/store.js'
import { backoff } from '../tell/backoff.js'
import { giveUp } from './settle-event.js'
import type { Retrying } from './settle-or-retry.js'

export interface LeftLane extends Omit<Retrying, 'adapter'> {
  store: Pick<Store, 'settle' | 'fetchFailed' | 'pendingEvents' | 'release'>
}

/**
 * Puts a lane that came back through an expired lease into the back-off, and counts that on its first event: whoever had it died or hung, perhaps
 * of that one (an adapter of one's own, the option `resources`), and would again, and the next process after it. Used up, the event is a dead
 * letter and the lane goes on.
 */
export async function leaveForLater(lane: ClaimedLane, settling: LeftLane): Promise<void> {
  const { store, log } = settling
  const failures = lane.failures + 1
  const [first] = await store.pendingEvents(lane, 1)
  const { id: event, bookingId: booking } = first ?? {}
  log.warn('a run did not come back', { lane: lane.key, ...(first && { event, booking }), failures })
  // One that waits for a slot has been through all that is not ours.
  if (first?.status === 'pending') {
    if (first.attempts + 1 >= settling.attempts) {
      const reason = 'Its attempts are used up; the last run did not come back.'
      await giveUp(lane, first, { status: 'dead', outcome: null, reason }, settling)
      await store.release(lane, { to: 'later', afterMs: 0, failures: 0 })
      return
    }
    await store.fetchFailed(lane, first.id, { error: 'A run did not come back.', counts: true })
  }
  const afterMs = backoff(failures, settling.backoff, settling.random)
  await store.release(lane, { to: 'later', afterMs, failures })
}
