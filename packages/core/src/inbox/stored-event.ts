import type { BookingEvent, EventType } from '../event/event.js'
import type { Micros } from '../event/instant.js'
import type { Outcome } from '../lifecycle/decision.js'
import type { Fact } from '../lifecycle/fact.js'

/** An event on its way into the ledger. */
export interface NewEvent {
  /** `evt_…`, derived from the dedupe key. */
  id: string
  /** SHA-256 over provider, account and key, 64 hex digits. Unique. */
  dedupeHash: string
  /** The key in words, for people. Free of guests' data. */
  dedupeKey: string
  /** The settle lane's key. */
  lane: string
  provider: string
  account: string
  providerType: string
  type: EventType | null
  bookingId: string | null
  meetingId: string | null
  occurredUs: Micros | null
  receivedUs: Micros
  headers: Record<string, string>
  /** The exact bytes; null for an event that settling another one (`parentId`) brought forth. */
  body: Uint8Array | null
  parentId: string | null
  /** Which of the readings of its body this is, from 0. */
  index: number
  unreadable: string | null
  /** `poke` says only "look again"; `look` is a timed second look of our own, never shown; `settling` came of another event. */
  origin: 'delivery' | 'poke' | 'look' | 'settling'
  /** The lane is not due before this many milliseconds from now (a timed second look); 0 for everything else. */
  afterMs: number
}

/** What became of a recorded event: a new row, or a repeat counted on the one that was there. */
export interface Recorded {
  id: string
  isNew: boolean
  /** How often it has come by now. */
  deliveries: number
}

/** A row of the ledger with what settling needs of it. `body` is the parent's where it has none of its own. */
export interface StoredEvent extends Omit<NewEvent, 'afterMs'> {
  /** Order of arrival. */
  sequence: number
  body: Uint8Array
  status: 'pending' | 'waiting' | 'settled' | 'dead'
  outcome: Outcome | null
  snapshot: unknown
  /** The event under its own id: as told, or as it will be told once its slots are free; null where neither. */
  told: BookingEvent | null
  /** Tries of the fetch. */
  attempts: number
  /** Why the last one failed, in words; null where it did not. */
  lastError: string | null
  fact: Fact | null
  deliveries: number
  /** How often a replay took it up. */
  replays: number
}
