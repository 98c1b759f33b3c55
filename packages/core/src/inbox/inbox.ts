import type { Reply, WebhookRequest } from '../adapter/adapter.js'
import type { Log } from '../event/log.js'
import type { Explanation } from '../explain/explanation.js'
import type { Health } from '../health/health.js'
import type { Limits } from '../http/limits.js'
import type {
  BookingFilter,
  BookingRow,
  EventFilter,
  EventRow,
  Page,
  Paged,
} from '../listing/listing-store.js'
import type { Answered } from '../observe/observer.js'
import type { AskedReplay, ReplayOptions } from '../replay/ask-for-replay.js'
import type { ReplayRow } from '../replay/replay-store.js'
import type { ErasureOptions } from '../retention/erase.js'
import type { Erasure, ErasureSubject } from '../retention/retention-store.js'
import type { Retired } from '../tell/retire.js'

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
  /** Tells the observer of an answer that a door gave without `receive`: to a body that was too large, say. */
  answered(answer: Answered): void
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
   * Ends a subscriber that was taken out of every process, at least five minutes ago: it is told nothing new, what it was still to be told is
   * taken back, and its dead letters. Rejects with INVALID_OPTION for one that is not known, or that a process has.
   */
  retire(subscriber: string): Promise<Retired>
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
