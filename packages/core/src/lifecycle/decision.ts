import type { Booking, BookingDetails, Host, Payment } from '../event/booking.js'
import type { BookingEventType, Cancellation, Conflict, Previous } from '../event/event.js'
import type { Micros } from '../event/instant.js'
import type { Fact } from './fact.js'

/** How an event was decided; each with a reason in words. */
export type Outcome = (typeof outcomes)[number]

/** All outcomes, for choices and checks. */
export const outcomes = [
  'accepted',
  'unchanged',
  'stale',
  'refused',
  'superseded',
  'conflict',
  'ignored',
  'unreadable',
] as const

/** One resource at one start. At most one meeting holds it. */
export interface Slot {
  resource: string
  startsUs: Micros
}

/** A meeting, wherever it comes from. */
export interface Holder {
  provider: string
  account: string
  meetingId: string
}

export interface HeldSlot extends Slot, Holder {}

/** Whether subscribers were told of a booking, and of its end. */
export type Told = 'none' | 'open' | 'ended'

/** A booking as the fold of its facts leaves it. `status` is never `conflict` here. */
export interface FoldedBooking {
  id: string
  threadId: string
  previousId: string | null
  nextId: string | null
  meetingId: string | null
  /** Null for a booking that is known only by marks (paid, no-show, updated). */
  status: 'requested' | 'confirmed' | 'canceled' | 'rejected' | 'rescheduled' | null
  startsUs: Micros | null
  endsUs: Micros | null
  resources: string[]
  alias: string | null
  noShow: boolean
  payment: Payment | null
  details: BookingDetails
  cancellation: Cancellation | null
  /** Of the newest fact that touched it; 0 where there is none. */
  lastOccurredUs: Micros
}

/** A booking's row: the fold, what was told of it, and whether it waits for its slot. */
export interface StoredBooking extends FoldedBooking {
  told: Told
  /** What subscribers were last told of its times and hosts, and the name that its thread had then. */
  toldAs: { startsUs: Micros | null; endsUs: Micros | null; hosts: Host[]; threadId: string } | null
  /** True while another meeting holds a slot that it wants; it holds none then. */
  waits: boolean
  /** The last snapshot stored for it (providers that are asked); null elsewhere. */
  snapshot: unknown
  updatedUs: Micros
}

/** A settled event that waits for its booking's slots. */
export interface Waiting {
  /** The waiting event's row. */
  eventId: string
  bookingId: string
  fact: Fact
  slots: Slot[]
  /** What it becomes when its slots are free. */
  wanted: BookingEventType
}

/** Everything that `decide` looks at: what is known of a thread and its meetings, as locked. */
export interface Known {
  provider: string
  account: string
  /** The settled facts of the thread and its meetings. */
  facts: Fact[]
  /** The rows of their bookings. */
  bookings: StoredBooking[]
  /** The slots that these bookings hold or want, as held by whomever. */
  slots: HeldSlot[]
  /** Other active bookings of the same meetings: they share the slots. */
  neighbours: StoredBooking[]
  /** Events of these bookings that wait. */
  waiting: Waiting[]
  /** By the database's clock. */
  nowUs: Micros
}

/** What subscribers are told: an event, without what the ledger adds (id, raw, times). */
export interface Announcement {
  /** `''` for the event itself; else what makes the key (and so the id) of a further one: `|<booking id>`, `|conflict`. */
  suffix: string
  type: BookingEventType
  booking: Booking
  previous: Previous | null
  previousThreadId: string | null
  cancellation: Cancellation | null
  conflict: Conflict | null
}

/** What is to be done about one fact. */
export interface Decision {
  outcome: Outcome
  reason: string
  /** What the event's row names. */
  bookingId: string | null
  meetingId: string | null
  threadId: string | null
  type: BookingEventType
  /** The rows that change, as they are afterwards. */
  bookings: StoredBooking[]
  free: Slot[]
  take: HeldSlot[]
  /** Set where the event itself now waits. */
  wait: { bookingId: string; slots: Slot[]; wanted: BookingEventType } | null
  /** Waiting events whose wait ended without a slot: their booking ended or moved. */
  noLongerWaiting: { eventId: string; reason: string }[]
  announcements: Announcement[]
  /** Threads that this fact joined: what was told in `younger` goes before what will be told in `older`. */
  joins: { older: string; younger: string }[]
  /** Slots whose waiters are to be looked at after the commit: freed ones, and those that a waiter's own meeting took. */
  wake: Slot[]
}
