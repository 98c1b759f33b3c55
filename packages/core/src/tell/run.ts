import type { Booking } from '../event/booking.js'
import { isBookingWebhooksError } from '../event/errors.js'
import type { Log } from '../event/log.js'
import type { ClaimedLane } from '../inbox/lane.js'
import type { Store } from '../inbox/store.js'
import type { AlertRule } from './alert-rule.js'
import { once } from './once.js'
import type { StoredTell } from './stored-tell.js'
import type { Streak } from './streak.js'
import type { NamedSubscriber } from './subscribers.js'
import { withTimeLimit } from './with-time-limit.js'

/** One run of a tell. */
export interface Running {
  store: Store
  log: Log
  lane: ClaimedLane
  tell: StoredTell
  attempt: number
  /** On a replay the booking as it is today. */
  now: Booking | null
  /** Aborted when the lease is lost. */
  lost: AbortSignal
}

/** How a run went: ended by its own transaction, or to be ended, or what it threw. */
export type Ran = { is: 'committed'; streak: Streak } | { is: 'done' } | { is: 'failed'; error: unknown }

/**
 * Runs a callback under its time-out; a transactional one within the transaction that commits its tell as done. Rejects only with LEASE_LOST:
 * someone else has the tell now.
 */
export async function run(
  running: Running,
  subscriber: NamedSubscriber,
  ruleWhenDone: AlertRule,
): Promise<Ran> {
  const { store, lane, tell } = running
  try {
    if (subscriber.isTransactional) {
      const work = (trx: unknown) => call(running, subscriber, () => ({ trx }))
      return { is: 'committed', streak: await store.tellWithin(lane, tell, work, ruleWhenDone) }
    }
    await call(running, subscriber, signal => ({ once: once({ ...running, signal }) }))
    return { is: 'done' }
  } catch (error) {
    if (isBookingWebhooksError(error, 'LEASE_LOST')) throw error
    return { is: 'failed', error: error ?? new Error('undefined was thrown') }
  }
}

async function call(
  { tell, attempt, now, lost, log }: Running,
  subscriber: NamedSubscriber,
  special: (signal: AbortSignal) => { trx: unknown } | { once: ReturnType<typeof once> },
): Promise<void> {
  const { timeoutMs, isTransactional } = subscriber
  const hint = isTransactional
    ? ' Nothing was committed. Does it query outside of trx, or wait for somebody else?'
    : ''
  await withTimeLimit(timeoutMs, `The subscriber took longer than ${timeoutMs} ms.${hint}`, lost, signal =>
    subscriber.tell(tell.event, {
      attempt,
      replay: tell.replay !== '',
      now,
      signal,
      log,
      ...special(signal),
    }),
  )
}
