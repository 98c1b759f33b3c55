import type { ClaimedLane } from '../inbox/lane.js'
import type { Store } from '../inbox/store.js'
import { backoff } from '../tell/backoff.js'
import { type Retrying, spendAttempt } from './spend-attempt.js'

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
  const isGivenUp = first?.status === 'pending' && (await spendAttempt(lane, first, reasons, settling))
  const afterMs = isGivenUp ? 0 : backoff(failures, settling.backoff, settling.random)
  await store.release(lane, { to: 'later', afterMs, failures: isGivenUp ? 0 : failures })
}

const reasons = [
  'A run did not come back.',
  'Its attempts are used up; the last run did not come back.',
] as const
