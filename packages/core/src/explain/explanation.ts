import type { EventType } from '../event/event.js'
import type { Instant } from '../event/instant.js'
import type { Outcome } from '../lifecycle/decision.js'
import type { BookingRow, EventStatus } from '../listing/listing-store.js'

/** Everything that the ledger knows of a booking and of the bookings that reschedules join with it. */
export interface Explanation {
  /** The booking that was asked for. */
  bookingId: string
  provider: string
  account: string
  /** The bookings of its thread, oldest first. Empty for one that is known only by a mark such as paid or no-show. */
  thread: ExplainedBooking[]
  /** Everything that came about them and all that came of it, in order of arrival. */
  events: ExplainedEvent[]
}

export interface ExplainedBooking extends BookingRow {
  /** The slots that its meeting holds for it now. */
  holds: SlotName[]
  /** The slots that it waits for now, and the meetings that hold them. */
  waitsFor: (SlotName & { heldBy: string | null })[]
}

/** A slot as people name it. */
export interface SlotName {
  resource: string
  startsAt: Instant
}

export interface ExplainedEvent {
  id: string
  type: EventType | null
  providerType: string
  /** `poke` says only "look again"; `settling` came of another event, `parentId`. */
  origin: 'delivery' | 'poke' | 'settling'
  parentId: string | null
  bookingId: string | null
  meetingId: string | null
  /** The thread's name when the event was settled; an older booking that became known later gave it another one. */
  threadId: string | null
  occurredAt: Instant | null
  receivedAt: Instant
  lastReceivedAt: Instant
  /** How often it came. */
  deliveries: number
  status: EventStatus
  outcome: Outcome | null
  reason: string | null
  settledAt: Instant | null
  /** Tries of the provider's API, and the error of the last one. */
  attempts: number
  lastError: string | null
  replays: number
  /** When its guests' data was erased on request; null where it was not. */
  erasedAt: Instant | null
  /** The booking that subscribers were told it replaces, as far as that is still known. */
  previousBookingId: string | null
  /** The meetings that held the slots, on a conflict. */
  conflictWith: string[]
  /** What it did to slots, in order: a conflict waits first and takes later. */
  slots: SlotStep[]
  /** In the order in which they were written. */
  tells: ExplainedTell[]
}

export interface SlotStep {
  at: Instant
  freed: SlotName[]
  taken: SlotName[]
  awaited: SlotName[]
}

export interface ExplainedTell {
  subscriber: string
  /** Null for the first telling, else the replay's id. */
  replay: string | null
  status: 'pending' | 'done' | 'dead'
  attempts: number
  lastError: string | null
  finishedAt: Instant | null
}

/** What explaining needs of a store. */
export interface ExplainStore {
  /** The story of a booking, of the provider and account given, else of those that last changed a booking of this id; null for an unknown one. */
  explain(bookingId: string, of: { provider?: string; account?: string }): Promise<Explanation | null>
}
