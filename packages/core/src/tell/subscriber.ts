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

export type Handler<Event extends BookingEvent> = (event: Event, context: TellContext) => unknown

/** A subscriber as callbacks by event type. `null` says that a type is left out on purpose. */
export type Handlers<Event extends BookingEvent = BookingEvent> = {
  [Type in BookingEventType]?: Handler<EventOf<Event, Type>> | null
} & {
  [Type in ProviderEventType]?: Handler<EventOf<Event, ProviderEventType>> | null
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
  /** The types it takes; `*` for all, `provider.*` for all of a provider's own. */
  takes: readonly string[]
  tell(event: Event, context: TellContext): unknown
}
