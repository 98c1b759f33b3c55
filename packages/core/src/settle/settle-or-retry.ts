import type { Snapshot } from '../adapter/adapter.js'
import type { ClaimedLane } from '../inbox/lane.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import { backoff } from '../tell/backoff.js'
import { ResourcesError } from './resources-of.js'
import { settleEvent } from './settle-event.js'
import { type Retrying, spendAttempt } from './spend-attempt.js'

/** It is settled, as `settleEvent` says, or to be tried again after so many milliseconds. */
export type Settled = { is: 'settled'; isLeft: boolean } | { is: 'later'; afterMs: number }

/**
 * Settles one event. Where the option `resources` fails, that is counted on the event as a failed fetch is, up to the dead letter.
 */
export async function settleOrRetry(
  lane: ClaimedLane,
  event: StoredEvent,
  snapshot: Snapshot | null,
  retrying: Retrying,
): Promise<Settled> {
  try {
    return { is: 'settled', isLeft: await settleEvent(lane, event, snapshot, retrying) }
  } catch (error) {
    if (!(error instanceof ResourcesError)) throw error
    const { id, bookingId, provider, account } = event
    const attempt = event.attempts + 1
    const reason = error.message
    retrying.log.error('resources failed', {
      event: id,
      booking: bookingId,
      provider,
      account,
      attempt,
      reason,
    })
    if (await spendAttempt(lane, event, [reason, reason], retrying)) return { is: 'settled', isLeft: false }
    return { is: 'later', afterMs: backoff(attempt, retrying.backoff, retrying.random) }
  }
}
