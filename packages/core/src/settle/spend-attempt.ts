import type { ClaimedLane } from '../inbox/lane.js'
import type { Store } from '../inbox/store.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import type { BackoffOptions } from '../tell/backoff.js'
import type { Deciding } from './deciding.js'
import { giveUp } from './settle-event.js'

export interface Retrying extends Deciding {
  store: Pick<Store, 'settle' | 'fetchFailed'>
  backoff: BackoffOptions
  attempts: number
  random: () => number
}

/** Counts a failed attempt on its event. True where it was the last one: the event is a dead letter now, for the second of the reasons. */
export async function spendAttempt(
  lane: ClaimedLane,
  event: StoredEvent,
  [failed, usedUp]: readonly [failed: string, usedUp: string],
  retrying: Omit<Retrying, 'adapter'>,
): Promise<boolean> {
  const isLast = event.attempts + 1 >= retrying.attempts
  if (isLast) await giveUp(lane, event, { status: 'dead', outcome: null, reason: usedUp }, retrying)
  else await retrying.store.fetchFailed(lane, event.id, { error: failed, counts: true })
  return isLast
}
