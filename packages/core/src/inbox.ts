import type { Adapter, Reply, WebhookRequest } from './adapter.js'
import type { InboxOptions } from './inbox-options.js'
import type { Log } from './log.js'
import type { BookingFilter, BookingRow, EventFilter, EventRow, Page, Paged } from './store.js'

/** Receives, settles and tells. Made by `createInbox`; framework packages mount it. */
export interface Inbox {
  /** The providers it has adapters for. */
  readonly providers: readonly string[]
  readonly limits: { maxBodyBytes: number; bodyTimeoutMs: number }
  readonly log: Log
  /**
   * Verifies, reads and records one request, and says what the provider is answered: 200 once it is stored,
   * 401 unless its provider signed it, 503 where the store is down or too slow. Null for a provider it has no adapter for.
   * Never rejects.
   */
  receive(provider: string, request: WebhookRequest): Promise<Reply | null>
  /** Opens the store, makes the subscribers known and begins to work. Called by itself on creation of a middleware; safe to repeat. */
  start(): Promise<void>
  /** Finishes what runs, lets go of the rest and closes the store it was given a configuration for. */
  close(): Promise<void>
  /** Settles and tells all that is due now. For platforms that freeze, and for tests. */
  drain(): Promise<void>
  /** Rejects unless the store answers. */
  ping(): Promise<void>
  events(filter?: EventFilter, page?: Partial<Page>): Promise<Paged<EventRow>>
  bookings(filter?: BookingFilter, page?: Partial<Page>): Promise<Paged<BookingRow>>
}

/** Makes an inbox without HTTP: what a worker process runs. */
export function createInbox<const Adapters extends readonly Adapter[]>(
  options: InboxOptions<Adapters>,
): Inbox {
  throw new Error(`not built yet: ${options.providers.length}`)
}
