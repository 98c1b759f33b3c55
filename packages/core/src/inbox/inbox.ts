import { hostname } from 'node:os'
import type { Adapter, Reply, WebhookRequest } from '../adapter/adapter.js'
import { describeError } from '../event/describe-error.js'
import { invalidOption } from '../event/errors.js'
import { addressHash } from '../event/identity.js'
import { type Log, standardErrorLog } from '../event/log.js'
import type { Explanation } from '../explain/explanation.js'
import type { Health } from '../health/health.js'
import { type Limits, limitsOf } from '../http/limits.js'
import { replyTo } from '../receive/answer.js'
import { receive } from '../receive/receive.js'
import { recorder } from '../receive/recorder.js'
import { type AskedReplay, askForReplay, type ReplayOptions } from '../replay/ask-for-replay.js'
import { type Replaying, replay } from '../replay/replay.js'
import type { ReplayRow } from '../replay/replay-store.js'
import { type ErasureOptions, erase } from '../retention/erase.js'
import { expire } from '../retention/expire.js'
import type { Erasure, ErasureSubject } from '../retention/retention-store.js'
import { type Settling, settle } from '../settle/settle.js'
import { alerts } from '../tell/alerts.js'
import { defaultBackoff } from '../tell/backoff.js'
import { subscribersOf } from '../tell/subscribers.js'
import { type Telling, tell } from '../tell/tell.js'
import { dispatcher } from './dispatch.js'
import type { InboxOptions } from './inbox-options.js'
import type { BookingFilter, BookingRow, EventFilter, EventRow, Page, Paged } from './store.js'

/** Receives, settles and tells. Made by `createInbox`; framework packages mount it. */
export interface Inbox {
  /** The providers it has adapters for. */
  readonly providers: readonly string[]
  readonly limits: Limits
  readonly log: Log
  /** The clock that a door stamps arrivals with. */
  now(): Date
  /**
   * Verifies, reads and records one request, and says what the provider is answered: 200 once it is stored,
   * 401 unless its provider signed it, 503 where the store is down or too slow. Null for a provider it has no adapter for.
   * Never rejects.
   */
  receive(provider: string, request: WebhookRequest): Promise<Reply | null>
  /** Opens the store, makes the subscribers known and begins to work; tried again every second until it works. Safe to repeat. */
  start(): Promise<void>
  /** Finishes what runs, lets go of the rest and closes the store. */
  close(): Promise<void>
  /** Settles and tells all that is due now. For platforms that freeze, and for tests. */
  drain(): Promise<void>
  /**
   * What every dispatching process does each minute: looks for forgotten work, blanks what retention no longer keeps, hands alerts over. What
   * fails is logged. To be called from time to time on platforms that freeze.
   */
  sweep(): Promise<void>
  /** Backlog, dead letters, lanes, clocks, and whatever else shows whether all is well. */
  health(): Promise<Health>
  /** Rejects unless the store answers. */
  ping(): Promise<void>
  /** The ledger, newest first. */
  events(filter?: EventFilter, page?: Partial<Page>): Promise<Paged<EventRow>>
  /** The bookings as stored, newest change first. */
  bookings(filter?: BookingFilter, page?: Partial<Page>): Promise<Paged<BookingRow>>
  /**
   * Erases what is known of a guest: by booking (and its thread), or by e-mail address wherever it stands. What is pending waits until it is
   * decided and told, unless it is to be dropped; the sweep erases it then.
   */
  erase(subject: ErasureSubject, options?: ErasureOptions): Promise<Erasure>
  /**
   * The whole story of a booking and its thread; null for an unknown booking. Where several providers or accounts have one of this id and
   * none is named, of the one that changed last. `inWords` puts it in plain words.
   */
  explain(bookingId: string, of?: { provider?: string; account?: string }): Promise<Explanation | null>
  /**
   * Tells stored events again (or only counts them), in the order in which they were told, to whoever took them or to one subscriber; what was
   * not accepted is decided again. Resolves once the replay is written down: any process that dispatches works on it, and `replays` shows how far it is.
   */
  replay(filter: EventFilter, options?: ReplayOptions): Promise<AskedReplay>
  /** The replays and how far they are, newest first; at most 50. */
  replays(filter?: { id?: string }): Promise<ReplayRow[]>
}

/** How often the ledger is searched for what should not happen, in milliseconds. */
const sweepMs = 60_000
const retryStartMs = 1_000
/** Calendly and Acuity retry for a day. */
const retriedForUs = 24 * 3_600_000_000
const defaultPage: Page = { limit: 50, cursor: null }

/** Makes an inbox without HTTP: what a worker process runs. Options are checked here; the store is opened by `start`. */
export function createInbox<const Adapters extends readonly Adapter[], Transaction>(
  options: InboxOptions<Adapters, Transaction>,
): Inbox {
  const adapters = adaptersOf(options)
  const limits = limitsOf(options)
  const subscribers = subscribersOf(options)
  const names = [...subscribers.keys()]
  const { store } = options
  const log = options.log ?? standardErrorLog
  const now = options.now ?? (() => new Date())
  const random = options.random ?? Math.random
  const leaseMs = options.leaseMs ?? 30_000
  const isDispatching = options.dispatch ?? true
  const keptMs = (options.retentionDays ?? 30) * 86_400_000
  if (!(keptMs > 0)) throw invalidOption('retentionDays must be more than 0; Infinity keeps everything.')
  let isClosing = false
  let hash: (text: string) => string = addressHash('')

  const raised = alerts({
    store,
    thresholds: options.alertThresholds ?? [1, 5, 20],
    log,
    onAlert: options.onAlert,
  })
  const recording = recorder(store)
  const connected = new Map<string, Promise<number>>()
  const settling: Settling = {
    store,
    adapters,
    leaseMs,
    log,
    now,
    random,
    hash: text => hash(text),
    backoff: { ...defaultBackoff, ...options.fetchBackoff },
    attempts: options.attempts ?? 25,
    alert: (subject, fields) => raised.failed(subject, fields),
    recovered: subject => raised.recovered(subject),
    suspects: new Map(),
    slots: options.slots ?? true,
    resources: options.resources,
    worked: () => work.hint('tell'),
    connectedUs(provider, account, firstUs) {
      const key = `${provider}/${account}`
      const known = connected.get(key) ?? connect(provider, account, firstUs)
      connected.set(key, known)
      known.catch(() => connected.delete(key))
      return known
    },
  }
  const telling: Telling = {
    store,
    subscribers,
    leaseMs,
    log,
    random,
    isClosing: () => isClosing,
    alerts: raised,
  }
  const replaying: Replaying = {
    store,
    leaseMs,
    isClosing: () => isClosing,
    worked() {
      work.hint('settle')
      work.hint('tell')
    },
  }
  const work = dispatcher({
    store,
    work: {
      settle: lane => settle(lane, settling),
      tell: lane => tell(lane, telling),
      replay: lane => replay(lane, replaying),
    },
    subscribers: names,
    owner: `${hostname()}:${process.pid}`,
    concurrency: options.concurrency ?? 16,
    leaseMs,
    pollMs: options.pollMs ?? 1_000,
    log,
  })

  // An account that only turns up with its first delivery was connected before it, at most as long as providers retry.
  const connect = async (provider: string, account: string, firstUs: number): Promise<number> => {
    const startedUs = await store.connect(provider, 'default', null)
    if (account === 'default') return startedUs
    return store.connect(provider, account, Math.max(startedUs, firstUs - retriedForUs))
  }
  let opening: Promise<void> | null = null
  let retry: NodeJS.Timeout | undefined
  let sweeping: NodeJS.Timeout | undefined
  const open = async (): Promise<void> => {
    const { secret } = await store.open()
    hash = addressHash(secret)
    await store.register([...subscribers.values()].map(({ name, takes }) => ({ name, takes })))
    for (const provider of adapters.keys()) await settling.connectedUs(provider, 'default', 0)
    if (!isDispatching || isClosing) return
    await store.seen(names)
    work.start()
    // What a process that died had raised.
    void raised.handOver()
    sweeping = setInterval(() => void sweep(), sweepMs)
  }
  const expireOld = async (): Promise<void> => {
    const events = await expire(store, keptMs, () => isClosing)
    if (events > 0) log.info('expired', { events })
  }
  const sweep = async (): Promise<void> => {
    try {
      if (isDispatching) await store.seen(names)
      const found = await store.sweep()
      if (found.lanes + found.waiting > 0) log.error('the sweep found forgotten work', found)
      await store.finishErasures()
      if (Number.isFinite(keptMs)) await expireOld()
      await raised.handOver()
    } catch (error) {
      log.error('the sweep failed', { reason: describeError(error) })
    }
  }
  const start = (): Promise<void> => {
    clearTimeout(retry)
    opening ??= open().catch(error => {
      opening = null
      if (!isClosing) retry = setTimeout(() => void start().catch(() => {}), retryStartMs)
      throw error
    })
    return opening
  }

  for (const adapter of adapters.values())
    for (const warning of adapter.warnings ?? []) log.warn(warning, { provider: adapter.provider })

  return {
    providers: [...adapters.keys()],
    limits,
    log,
    now,
    async receive(provider, request) {
      const adapter = adapters.get(provider)
      if (!adapter) return null
      if (isClosing) return replyTo('INBOX_CLOSED')
      try {
        await start()
      } catch (error) {
        log.error('the store is not open', { provider, reason: describeError(error) })
        return replyTo('STORE_UNAVAILABLE')
      }
      const answer = await receive(request, {
        adapter,
        hash,
        log,
        record: events => recording.record(events),
        signature: raised.signature,
      })
      work.hint('settle')
      if (options.finishBeforeAnswer && answer.status === 200) await work.drain()
      return answer
    },
    start,
    async close() {
      isClosing = true
      clearTimeout(retry)
      clearInterval(sweeping)
      await opening?.catch(() => {})
      await recording.flushed()
      await work.stop()
      await raised.settled()
      await store.close()
    },
    async drain() {
      await start()
      await work.drain()
      await raised.handOver()
    },
    async sweep() {
      await start()
      await sweep()
    },
    async health() {
      await start()
      return store.health()
    },
    ping: () => store.ping(),
    async events(filter = {}, page = {}) {
      await start()
      return store.events(filter, { ...defaultPage, ...page })
    },
    async bookings(filter = {}, page = {}) {
      await start()
      return store.bookings(filter, { ...defaultPage, ...page })
    },
    async erase(subject, how) {
      await start()
      return erase(store, subject, how)
    },
    async explain(bookingId, of = {}) {
      await start()
      return store.explain(bookingId, of)
    },
    async replay(filter, options) {
      await start()
      const asked = await askForReplay(store, filter, options)
      work.hint('replay')
      return asked
    },
    async replays(filter = {}) {
      await start()
      return store.replays({ ...filter, limit: defaultPage.limit })
    },
  }
}

function adaptersOf<Adapters extends readonly Adapter[]>(
  options: Pick<InboxOptions<Adapters>, 'providers' | 'store'>,
): Map<string, Adapter> {
  if (!options.providers?.length) throw invalidOption('providers is empty. Give at least one adapter.')
  if (!options.store) throw invalidOption('store is required, such as knexStore(process.env.DATABASE_URL).')
  const adapters = new Map<string, Adapter>()
  for (const adapter of options.providers) {
    if (adapters.has(adapter.provider))
      throw invalidOption(`providers has two adapters for '${adapter.provider}'.`)
    adapters.set(adapter.provider, adapter)
  }
  return adapters
}
