import type { Adapter } from '../adapter/adapter.js'
import { fetchFailure } from '../adapter/fetch-error.js'
import { describeError } from '../event/describe-error.js'
import type { ClaimedLane } from '../inbox/lane.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import { backoff } from '../tell/backoff.js'
import { failedAfter, failedFetchInWords, failedFetchOf } from './failed-fetch.js'
import type { Fetched, Fetching, Serves } from './fetch-snapshot.js'
import { stageOf } from './stage-of.js'
import type { Leave } from './suspects.js'

/** One question to a provider's API: for whom, and until when. */
export interface Asking {
  lane: ClaimedLane
  event: StoredEvent
  serves: Serves
  fetch: NonNullable<Adapter['fetch']>
  signal: AbortSignal
  /** How long the event still waits for an API that asks to wait, in milliseconds. */
  leftMs(): number
}

/** Asks, and stores the answer, or how the fetch failed and that the account is to be left alone for a while. */
export async function ask(asking: Asking, leave: Leave, fetching: Fetching): Promise<Fetched> {
  const { lane, event, serves, fetch, signal, leftMs } = asking
  const { store, log } = fetching
  const { provider, account } = event
  const subject = `${provider}/${account}`
  const attempt = event.attempts + 1
  const failed = failedFetchOf(event.lastError)
  try {
    const context = { signal, now: fetching.now(), log, attempt, failed, serves }
    const snapshot = await fetching.observer.during(stageOf('fetch', event), () => fetch(serves[0], context))
    leave.gotThrough()
    await fetching.recovered(`api:${subject}`)
    if (snapshot !== null) await store.saveSnapshot(lane, event.id, snapshot)
    return { is: 'ready', snapshot }
  } catch (thrown) {
    // Its failure says nothing about the account.
    if (signal.aborted) throw signal.reason
    const failure = fetchFailure(thrown)
    const reason = describeError(thrown)
    log.warn('fetch failed', {
      event: event.id,
      booking: event.bookingId,
      provider,
      account,
      attempt,
      reason,
    })
    if (failure.pauseAccountMs === undefined) leave.gotThrough()
    else {
      leave.refused()
      await store.pauseAccount(provider, account, failure.pauseAccountMs)
    }
    if (failure.alert)
      await fetching.alert(`api:${subject}`, { provider, account, reason, about: failure.alert })
    const giveUp = (): Fetched =>
      failure.givenUp === 'without' ? { is: 'ready', snapshot: null } : { is: 'dead', reason }
    if (failure.retry === 'never') return giveUp()
    const gap =
      failure.retry === 'backoff' ? backoff(attempt, fetching.backoff, fetching.random) : failure.retry
    const afterMs = Math.max(gap, failure.pauseAccountMs ?? 0)
    const isLast = failure.counts ? attempt >= (failure.attempts ?? fetching.attempts) : afterMs > leftMs()
    if (isLast) return giveUp()
    const error = failedFetchInWords(failedAfter(failed, reason))
    await store.fetchFailed(lane, event.id, { error, counts: failure.counts })
    return { is: 'later', afterMs }
  }
}
