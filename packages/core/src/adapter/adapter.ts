import type { EventType, ProviderEventType } from '../event/event.js'
import type { Micros } from '../event/instant.js'
import type { Log } from '../event/log.js'
import type { StoredBooking } from '../lifecycle/decision.js'
import type { Fact } from '../lifecycle/fact.js'
import type { FailedFetch } from '../settle/failed-fetch.js'

/** One HTTP request from a provider: its bytes as sent, before any parser. */
export interface WebhookRequest {
  method: string
  /** The URL as registered with the provider, configured, never rebuilt from `Host`; null where nothing needs it. */
  publicUrl: string | null
  headers: Headers
  body: Uint8Array
  receivedAt: Date
  account: string
}

/** What the provider is answered. */
export interface Reply {
  status: number
  headers: Record<string, string>
  body: string
}

/** Which of the account's keys fitted, and how strong the proof is: `none` only where the settings allow it by name. */
export interface Verified {
  keyIndex: number
  authenticated: 'signature' | 'secret' | 'none'
}

/** What one verified request tells of one subject, before it is stored. */
export interface Reading {
  /** Text over signed fields that makes two events the same one; null for a poke, which gets a key of its own. */
  dedupeKey: string | null
  /** The settle lane: events of one lane are settled one after another, in order of arrival. */
  lane: string
  /** The event's name as the provider sent it. */
  providerType: string
  /** The event type as far as it is known before interpreting; null where only a fetch can tell, or unreadable. */
  type: EventType | null
  bookingId: string | null
  meetingId: string | null
  /** The provider's time; null where it sends none. */
  occurredUs: Micros | null
  /** Why the bytes make no sense; null where they do. */
  unreadable: string | null
}

/** A reading as kept, with the bytes it came from. */
export interface StoredReading {
  provider: string
  account: string
  providerType: string
  /** The reading's own key; for a poke the one it was given. */
  dedupeKey: string
  /** Which of the readings of its body this is, from 0. */
  index: number
  /** True for a `SecondLook` that came due: `body` is its subject as JSON, `providerType` is `look`. */
  isLook: boolean
  headers: Record<string, string>
  body: Uint8Array
  receivedUs: Micros
}

/** What was fetched from the provider's API, as JSON. Stored before it is used. */
export type Snapshot = unknown

/** A stored reading's meaning: one event. */
export type Interpreted = InterpretedFact | InterpretedNotice | Unchanged | Unreadable

/** An event about bookings. */
export interface InterpretedFact {
  /** The reading's own key for the first event, a derived one for each further event. */
  key: string
  /** `occurredUs: null` where the provider sends no time: the time of arrival counts. */
  fact: Omit<Fact, 'key' | 'occurredUs'> & { occurredUs: Micros | null }
  /** The name under which the provider sends this, where it came in by another way (a second look); absent: the reading's own. */
  providerType?: string
  /** The provider's own payload, parsed. */
  raw: unknown
  /** A timed second look that this event calls for. */
  look?: SecondLook
}

/** An event about no booking. */
export interface InterpretedNotice {
  key: string
  type: ProviderEventType
  occurredUs: Micros | null
  raw: unknown
}

/** A poke that found nothing new. */
export interface Unchanged {
  key: string
  unchanged: string
}

/** Bytes (or an answer of the API) that make no sense; kept for replay after a fix. */
export interface Unreadable {
  key: string
  unreadable: string
  /** A timed second look, where the provider's API may tell what the bytes do not. */
  look?: SecondLook
}

/** Asks the library to come back: a half that may never come, an answer that may lag. */
export interface SecondLook {
  /** Names the look, so that asking twice is one look. */
  key: string
  /** One of its own: whatever comes in the same lane waits while the API is asked, and asked to wait. */
  lane: string
  afterMs: number
  /** Handed back to `fetch` and `interpret` as the body of a reading of type `look`. JSON. */
  subject: Record<string, string>
  /** The look is dropped where this booking is known by then, and alerted where it is still unknown afterwards; null: always look, never alert. */
  unlessKnown: string | null
}

export interface ReadContext {
  /** Hashes an address with a secret of the installation, 32 hex digits: for ids and aliases that are kept for ever. */
  hash(text: string): string
}

export interface InterpretContext extends ReadContext {
  /** When this account was first started on this database. */
  connectedUs: Micros
}

export interface FetchContext {
  signal: AbortSignal
  now: Date
  log: Log
  /** 1 for the first try. */
  attempt: number
  /** Why the try before this one failed, and how many in a row had failed like it by then; absent where none did. */
  failed?: FailedFetch | undefined
  /** Every reading of the lane that this one answer will serve, oldest first: the one asked for, and pokes that wait behind it. */
  serves: readonly StoredReading[]
}

/**
 * One provider. Pure functions over bytes but for `fetch`: usable without the rest of the library.
 * `Raw` is the type of `event.raw` for this provider's events.
 */
export interface Adapter<Provider extends string = string, Raw = unknown> {
  readonly provider: Provider
  /** Names of request headers worth keeping with an event (lower case). Signatures and cookies are not. */
  readonly headers?: readonly string[]
  /** What the adapter cannot do as it was set up, or doubts about its settings, one sentence each: logged as the inbox starts. */
  readonly warnings?: readonly string[]
  /** The account's keys; null where there is no such account. A function in the settings may make it asynchronous. */
  keys(account: string): readonly string[] | null | Promise<readonly string[] | null>
  /** Throws a SIGNATURE_… error unless the provider signed these bytes with one of the keys. */
  verify(
    request: WebhookRequest,
    context: { keys: readonly string[]; now: Date },
  ): Verified | Promise<Verified>
  /** What a verified request tells: 1..n readings, or a direct reply to a challenge. Never throws for what it does not know. */
  read(request: WebhookRequest, context: ReadContext): { readings: Reading[] } | { reply: Reply }
  /** Whether `fetch` would ask for this reading; absent: always. Cheap and pure. */
  needsFetch?(reading: StoredReading): boolean
  /**
   * How long after its arrival a reading waits for an API that asks to wait (a failure that does not count, a paused account), in
   * milliseconds; where that is not enough, it goes on without an answer. Absent: as long as it takes. Cheap and pure.
   */
  waitsAtMostMs?(reading: StoredReading): number
  /** Asks the provider's API where the body is not enough; null where it is. Throws a `FetchError`. */
  fetch?(reading: StoredReading, context: FetchContext): Promise<Snapshot | null>
  /** A stored reading (and snapshot) as 1..n events. Pure: today's adapter over yesterday's bytes. */
  interpret(
    reading: StoredReading,
    snapshot: Snapshot | null,
    booking: StoredBooking | null,
    context: InterpretContext,
  ): Interpreted[]
  /** Type only: what `event.raw` is. */
  readonly raw?: Raw
}
