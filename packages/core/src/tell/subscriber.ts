import type { Booking } from '../event/booking.js'
import type { BookingEvent, BookingEventType, EventOf, ProviderEventType } from '../event/event.js'
import type { Log } from '../event/log.js'
import type { BackoffOptions } from './backoff.js'

/** What a callback is given beside the event. */
export interface TellContext {
  /** 1 for the first run. */
  attempt: number
  replay: boolean
  /** On a replay the booking as it is today; null otherwise. */
  now: Booking | null
  /** Aborted when the time-out passes or the lease is lost. */
  signal: AbortSignal
  log: Log
  /**
   * Runs a step and keeps its result (JSON) per event and subscriber: a retry after a later step failed gets the kept result.
   * A name used twice in one run is an error.
   */
  once<Result>(name: string, step: () => Result | Promise<Result>): Promise<Result>
}

/** What a transactional callback is given: `trx` in place of `once`, as its writes and the tell's end are one commit. */
export interface TransactionalContext<Transaction> extends Omit<TellContext, 'once'> {
  /** The store's transaction. What is written through it is there exactly if the tell is done. */
  trx: Transaction
}

export type Handler<Event extends BookingEvent, Context = TellContext> = (
  event: Event,
  context: Context,
) => unknown

/** A subscriber as callbacks by event type. `null` says that a type is left out on purpose, also beside `provider.*`. */
export type Handlers<Event extends BookingEvent = BookingEvent, Context = TellContext> = {
  [Type in BookingEventType]?: Handler<EventOf<Event, Type>, Context> | null
} & {
  [Type in ProviderEventType]?: Handler<EventOf<Event, ProviderEventType>, Context> | null
}

export interface SubscriberOptions {
  /** How long one run may take, in milliseconds. Default 30 s. */
  timeoutMs?: number
  /** How many runs before a dead letter. Default 25. */
  attempts?: number
  backoff?: Partial<BackoffOptions>
}

/** A subscriber that takes whole events: `forward()`, or one of your own. */
export interface Subscriber<Event extends BookingEvent = BookingEvent> extends SubscriberOptions {
  /** The types it takes; `*` for all, `provider.*` for all of a provider's own. With `booking.created` also `booking.rescheduled` and, while slots are on, `booking.conflict`. */
  takes: readonly string[]
  transactional?: false
  tell(event: Event, context: TellContext): unknown
}

/** A subscriber as callbacks with options of its own. */
export interface CallbackSubscriber<Event extends BookingEvent = BookingEvent> extends SubscriberOptions {
  transactional?: false
  on: Handlers<Event>
}

/**
 * A subscriber whose writes and the end of its tell are one commit of the store's database: effects exactly once, for what is written through
 * `trx`. Meant for short work: while it runs, SQLite's one writer is taken, so there its time-out is 500 ms unless it says otherwise.
 */
export interface TransactionalSubscriber<Transaction, Event extends BookingEvent = BookingEvent>
  extends SubscriberOptions {
  transactional: true
  on: Handlers<Event, TransactionalContext<Transaction>>
}
