import type { Adapter, Snapshot, StoredReading } from '../adapter/adapter.js'
import type { Log } from '../event/log.js'
import type { ClaimedLane } from '../inbox/lane.js'
import type { Store } from '../inbox/store.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import type { Observer } from '../observe/observer.js'
import type { BackoffOptions } from '../tell/backoff.js'
import { type Asking, ask } from './ask.js'
import type { Suspects } from './suspects.js'
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
  /** Accounts whose last fetch was refused. */
  suspects: Suspects
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
  const untilMs = event.receivedUs / 1000 + (adapter.waitsAtMostMs?.(serves[0]) ?? Number.POSITIVE_INFINITY)
  const asking: Asking = {
    lane,
    event,
    serves,
    signal,
    fetch: adapter.fetch.bind(adapter),
    leftMs: () => Math.ceil(untilMs - fetching.now().getTime()),
  }
  return fetching.turns.take(event.provider, () => askUnlessPaused(asking, fetching))
}

/** When one comes back that finds another one asking for a suspect account, in milliseconds. */
const suspectMs = 1_000

async function askUnlessPaused(asking: Asking, fetching: Fetching): Promise<Fetched> {
  const { event, signal, leftMs } = asking
  signal.throwIfAborted()
  if (fetching.isClosing()) return { is: 'later', afterMs: 0 }
  const { provider, account } = event
  const later = (afterMs: number): Fetched =>
    afterMs > leftMs() ? { is: 'ready', snapshot: null } : { is: 'later', afterMs }
  const leave = fetching.suspects.take(`${provider}/${account}`)
  if (!leave) return later(suspectMs)
  try {
    // Looked up with leave to ask: before, the one that has it may be just about to pause the account.
    const pausedMs = await fetching.store.pausedFor(provider, account)
    if (pausedMs > 0 || leave.isOver()) return later(Math.max(pausedMs, suspectMs))
    return await ask(asking, leave, fetching)
  } finally {
    leave.end()
  }
}
