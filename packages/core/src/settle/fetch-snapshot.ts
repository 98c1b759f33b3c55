import type { Adapter, Snapshot, StoredReading } from '../adapter/adapter.js'
import { fetchFailure } from '../adapter/fetch-error.js'
import { describeError } from '../event/describe-error.js'
import type { Log } from '../event/log.js'
import type { ClaimedLane } from '../inbox/lane.js'
import type { Store } from '../inbox/store.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import type { Observer } from '../observe/observer.js'
import { type BackoffOptions, backoff } from '../tell/backoff.js'
import { failedAfter, failedFetchInWords, failedFetchOf } from './failed-fetch.js'
import { stageOf } from './stage-of.js'
import type { Turns } from './turns.js'

export interface Fetching {
  store: Pick<Store, 'saveSnapshot' | 'fetchFailed' | 'pauseAccount' | 'pausedFor'>
  log: Log
  observer: Required<Observer>
  now: () => Date
  random: () => number
  backoff: BackoffOptions
  attempts: number
  /** Raises an alert about the account's API, once. */
  alert(subject: string, fields: Record<string, string>): Promise<void>
  /** The account's API answers again. */
  recovered(subject: string): Promise<void>
  /** True once the process wants to stop: who waits for a turn to ask does not begin. */
  isClosing(): boolean
  /** Lets so many of each provider ask at once. */
  turns: Pick<Turns, 'take'>
  /** Accounts whose last fetch was refused: one asks at a time until one gets through. */
  suspects: Map<string, boolean>
}

/** The readings that one answer will do for, the event's own first. */
export type Serves = readonly [StoredReading, ...StoredReading[]]

/** What a fetch came to: go on with a snapshot, come back later, or give up. */
export type Fetched =
  | { is: 'ready'; snapshot: Snapshot | null }
  | { is: 'later'; afterMs: number; hasFailed?: false }
  | { is: 'dead'; reason: string }

/**
 * Asks the provider's API where the adapter needs it, and stores the answer before it is used.
 * Failures are counted on the event and are no subscriber's; a paused account counts none.
 */
export async function fetchSnapshot(
  lane: ClaimedLane,
  event: StoredEvent,
  serves: Serves,
  adapter: Adapter,
  signal: AbortSignal,
  fetching: Fetching,
): Promise<Fetched> {
  if (event.snapshot !== null || !adapter.fetch || adapter.needsFetch?.(serves[0]) === false)
    return { is: 'ready', snapshot: event.snapshot }
  const asking: Asking = {
    fetch: adapter.fetch.bind(adapter),
    untilMs: event.receivedUs / 1000 + (adapter.waitsAtMostMs?.(serves[0]) ?? Number.POSITIVE_INFINITY),
  }
  return fetching.turns.take(event.provider, () => ask(lane, event, serves, asking, signal, fetching))
}

interface Asking {
  fetch: NonNullable<Adapter['fetch']>
  /** Until when the event waits for an API that asks to wait, in milliseconds since 1970. */
  untilMs: number
}

async function ask(
  lane: ClaimedLane,
  event: StoredEvent,
  serves: Serves,
  { fetch, untilMs }: Asking,
  signal: AbortSignal,
  fetching: Fetching,
): Promise<Fetched> {
  signal.throwIfAborted()
  if (fetching.isClosing()) return { is: 'later', afterMs: 0 }
  const { store, log } = fetching
  const { provider, account } = event
  const subject = `${provider}/${account}`
  const pausedMs = await store.pausedFor(provider, account)
  const isAsking = fetching.suspects.get(subject)
  const leftMs = Math.ceil(untilMs - fetching.now().getTime())
  if (pausedMs > 0 || isAsking) {
    const afterMs = Math.max(pausedMs, 1_000)
    return afterMs > leftMs ? { is: 'ready', snapshot: null } : { is: 'later', afterMs }
  }
  if (isAsking === false) fetching.suspects.set(subject, true)

  const attempt = event.attempts + 1
  const failed = failedFetchOf(event.lastError)
  try {
    const context = { signal, now: fetching.now(), log, attempt, failed, serves }
    const snapshot = await fetching.observer.during(stageOf('fetch', event), () => fetch(serves[0], context))
    fetching.suspects.delete(subject)
    await fetching.recovered(`api:${subject}`)
    if (snapshot !== null) await store.saveSnapshot(lane, event.id, snapshot)
    return { is: 'ready', snapshot }
  } catch (thrown) {
    if (signal.aborted) {
      // Its failure says nothing about the account, so the next one may ask.
      if (isAsking === false) fetching.suspects.set(subject, false)
      throw signal.reason
    }
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
    if (failure.pauseAccountMs !== undefined) {
      fetching.suspects.set(subject, false)
      await store.pauseAccount(provider, account, failure.pauseAccountMs)
    } else {
      fetching.suspects.delete(subject)
    }
    if (failure.alert)
      await fetching.alert(`api:${subject}`, { provider, account, reason, about: failure.alert })
    const giveUp = (): Fetched =>
      failure.givenUp === 'without' ? { is: 'ready', snapshot: null } : { is: 'dead', reason }
    if (failure.retry === 'never') return giveUp()
    const gap =
      failure.retry === 'backoff' ? backoff(attempt, fetching.backoff, fetching.random) : failure.retry
    const afterMs = Math.max(gap, failure.pauseAccountMs ?? 0)
    const isLast = failure.counts ? attempt >= (failure.attempts ?? fetching.attempts) : afterMs > leftMs
    if (isLast) return giveUp()
    const error = failedFetchInWords(failedAfter(failed, reason))
    await store.fetchFailed(lane, event.id, { error, counts: failure.counts })
    return { is: 'later', afterMs }
  }
}
