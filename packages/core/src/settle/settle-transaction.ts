import type { BookingEvent, EventType } from '../event/event.js'
import type { Micros } from '../event/instant.js'
import type { NewTell } from '../inbox/new-tell.js'
import type { RegisteredSubscriber } from '../inbox/registered-subscriber.js'
import type { NewEvent, StoredEvent } from '../inbox/stored-event.js'
import type { Decision, HeldSlot, Outcome, Slot, StoredBooking, Waiting } from '../lifecycle/decision.js'
import type { Fact } from '../lifecycle/fact.js'

/** The one transaction in which an event is settled. Locks are taken in the order of these methods. */
export interface SettleTransaction {
  /** The database's clock. */
  readonly nowUs: Micros
  /** The event's row as it is now, under the lane's lock. */
  event(id: string): Promise<StoredEvent | null>
  /**
   * A further event that this one's reading (or a second look) turned out to hold, as a pending row; the row that was there
   * where its key is known. Its lane is made due after `afterMs`, or not at all where the caller settles it at once.
   */
  addEvent(event: NewEvent, settledHere: boolean): Promise<StoredEvent>
  /** What an unreadable row turned out to be, read again: it takes its place, still pending, and its lane is made due. */
  reread(event: NewEvent): Promise<void>
  /** One booking's row, unlocked: what an adapter compares a snapshot with. */
  booking(provider: string, account: string, id: string): Promise<StoredBooking | null>
  /**
   * Locks the bookings of these subjects and of everything that their facts link to (sorted by key, unknown ids as stubs),
   * and returns their settled facts and rows.
   */
  lockThread(
    provider: string,
    account: string,
    subjects: string[],
  ): Promise<{ facts: Fact[]; bookings: StoredBooking[]; waiting: Waiting[] }>
  /** Locks these slots, sorted, and says who holds them. */
  lockSlots(slots: Slot[]): Promise<HeldSlot[]>
  /** Active bookings of these meetings that are not among `except`. Read after the slots are locked. */
  neighbours(
    provider: string,
    account: string,
    meetingIds: string[],
    except: string[],
  ): Promise<StoredBooking[]>
  /** Everyone who waits for any of these slots, oldest fact first. */
  waitersFor(slots: Slot[]): Promise<(Waiting & { provider: string; account: string })[]>
  /** The subscribers of all processes. */
  subscribers(): Promise<RegisteredSubscriber[]>
  /** Makes the settle lanes of these events due with the commit: whoever is settled again sees what was written here. */
  wake(eventIds: string[]): Promise<void>
  write(settlement: Settlement): Promise<void>
}

/** Everything one settled event writes, in one transaction. */
export interface Settlement {
  event: {
    id: string
    status: 'settled' | 'waiting' | 'dead'
    /** Null only for a dead letter that was never decided. */
    outcome: Outcome | null
    reason: string
    type: EventType | null
    bookingId: string | null
    meetingId: string | null
    threadId: string | null
    occurredUs: Micros | null
    fact: Fact | null
    /** The event under its own id: as told, or as it will be told once its slots are free; null where neither. */
    told: BookingEvent | null
  }
  /** Further events of this one: conflicts, other earlier bookings of the thread, further facts of one reading. */
  children: NewChild[]
  /** Ids, meetings and aliases under which the fact is found again; see `subjects`. */
  subjects: string[]
  decision: Pick<Decision, 'bookings' | 'free' | 'take' | 'wait' | 'noLongerWaiting'> | null
  tells: NewTell[]
  /** Tell lanes to be told in order: `older` waits until `younger` is idle. */
  laneJoins: { older: string; younger: string }[]
}

/** An event that settling another one brought forth. Its row is settled at birth. */
export interface NewChild {
  id: string
  dedupeHash: string
  dedupeKey: string
  type: EventType
  bookingId: string | null
  meetingId: string | null
  threadId: string | null
  occurredUs: Micros
  outcome: Outcome
  reason: string
  told: BookingEvent
}
