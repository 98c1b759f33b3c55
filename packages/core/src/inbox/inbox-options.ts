import type { Adapter } from '../adapter/adapter.js'
import type { BookingEvent } from '../event/event.js'
import type { Log, LogFields } from '../event/log.js'
import type { Observer } from '../observe/observer.js'
import type { BackoffOptions } from '../tell/backoff.js'
import type {
  CallbackSubscriber,
  Handlers,
  Subscriber,
  SubscriberOptions,
  TransactionalSubscriber,
} from '../tell/subscriber.js'
import type { Store } from './store.js'

/** The events that these adapters produce: `event.raw` narrows by `event.provider`. */
export type EventsOf<Adapters extends readonly Adapter[]> = Adapters[number] extends infer One
  ? One extends Adapter<infer Provider, infer Raw>
    ? BookingEvent<Provider, Raw>
    : never
  : never

export interface Alert {
  kind: 'alert' | 'recovered'
  /** `subscriber:<name>`, `signature:<provider>/<account>`, `unsigned:<provider>/<account>`, … */
  subject: string
  consecutiveFailures: number
  fields: LogFields
}

export interface InboxOptions<Adapters extends readonly Adapter[], Transaction = unknown>
  extends SubscriberOptions {
  providers: Adapters
  store: Store<Transaction>
  /** One subscriber, named `default`. */
  on?: Handlers<EventsOf<Adapters>>
  /** Several subscribers, each with attempts, dead letters, alerts and replay of its own. */
  subscribers?: Record<
    string,
    // Each says that it is not transactional, so that the types of callbacks follow from `transactional` alone.
    | (Handlers<EventsOf<Adapters>> & { transactional?: false })
    | Subscriber<EventsOf<Adapters>>
    | CallbackSubscriber<EventsOf<Adapters>>
    | TransactionalSubscriber<Transaction, EventsOf<Adapters>>
  >
  /** False for a process that only receives. Default true. */
  dispatch?: boolean
  /** Waits with the answer until the event is settled and told, for platforms that freeze after the response. Default false. */
  finishBeforeAnswer?: boolean
  /** False where double bookings are wanted. Default true. */
  slots?: boolean
  /**
   * Maps an event to your own names for who or what is occupied; `[]` guards nothing. Asked once, at settling. It is given the
   * provider's ids as they are, and its names are taken as they are: without it they are `<provider>/<account>/<id>`, so that
   * two providers' ids never meet. Where it throws or returns anything but an array of names (texts of 1 to 600 characters), the event is
   * tried again as after a failed fetch.
   */
  resources?: (event: {
    provider: string
    account: string
    bookingId: string | null
    meetingId: string | null
    resources: string[]
  }) => string[]
  /**
   * How many days bodies, headers, told events, guests' details and step results are kept after an event is over and its booking has ended,
   * and alerts after they were handed over. Default 30; Infinity keeps them.
   */
  retentionDays?: number
  /** The largest body, in bytes, also after inflating. Default 1 MiB, at most 4 MiB. */
  maxBodyBytes?: number
  /** How long a client may take to send its body, in milliseconds. Default 10 s. */
  bodyTimeoutMs?: number
  /** How many events each subscriber is told, and how many are fetched from each provider's API, at once. Default 16. */
  concurrency?: number
  /** How often the store is asked for work that no hint announced, in milliseconds. Default 1 s. */
  pollMs?: number
  /** How long a lane is held without renewal, in milliseconds. At least 1 s, default 30 s. */
  leaseMs?: number
  /** Back-off of fetches from provider APIs. */
  fetchBackoff?: Partial<BackoffOptions>
  /**
   * After how many failures one after another there is an alert, of a subscriber or of an account's signatures. Requests without any signature
   * count apart, from the second number on. Default `[1, 5, 20]`.
   */
  alertThresholds?: readonly number[]
  /**
   * Hears each alert and recovery of all processes, at least once over those that have it; one that it throws at, or takes half a minute for, is
   * handed over again.
   */
  onAlert?: (alert: Alert) => unknown
  /** Default: JSON lines on standard error. Needs all four methods; what it throws is said once, on standard error, and changes nothing. */
  log?: Log
  /** Is told what happens, for metrics and traces: `openTelemetry()` of `@booking-webhooks/core/opentelemetry`, or your own. */
  observe?: Observer
  /** The process's clock, for verifying signatures and stamping arrivals. Due times use the store's. */
  now?: () => Date
  random?: () => number
}
