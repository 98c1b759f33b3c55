import type { BookingDetails, Payment } from '../event/booking.js'
import type { Cancellation } from '../event/event.js'
import type { Micros } from '../event/instant.js'

/**
 * What a fact does to its target.
 * `half` is the half of a reschedule that does not know the new time: its target is the new booking, `previous` the old one.
 * `moved` changes times (and meeting) in place, and makes the booking where it is not known: only then does it have a `previous`
 * to replace. `reassigned` changes resources and hosts in place. `no_show` with `noShow: false` takes a no-show back.
 * `started` and `ended` describe the booking only as far as nothing else did: the provider may have put them down when it was made.
 * A reschedule to a new id is `requested` or `created` with `previous` set.
 */
export type FactKind =
  | 'requested'
  | 'created'
  | 'moved'
  | 'half'
  | 'reassigned'
  | 'updated'
  | 'paid'
  | 'started'
  | 'ended'
  | 'rejected'
  | 'canceled'
  | 'no_show'

/** What a fact is about: one booking, one person's booking in a meeting, or every booking of a meeting. */
export type Target =
  | { kind: 'booking'; id: string }
  | PersonTarget
  /**
   * All that are in the meeting. Where it has seats (bookings of other ids than the meeting's own), the fact speaks of the
   * meeting alone: its `details` of a person (`attendee`, `guests`, `answers`, `timeZone`, `links`, `seats`) are left out, and
   * `paid` marks none of them.
   */
  | { kind: 'meeting'; meetingId: string }

/**
 * One person's booking in a meeting, for a provider that does not always name it.
 * As `previous` it stands for all that the person has in that meeting by then, but for the fact's own target.
 */
export interface PersonTarget {
  kind: 'person'
  meetingId: string
  /** The hashed address. */
  alias: string
  /**
   * The booking that the provider names, believed unless the facts speak against it: the meeting's own id unless the meeting
   * has seats, a seat's id unless it is another alias's. Null where it names none. The `links` and the seat's id in a fact's
   * `details` are the named booking's: another one that the fact turns out to be about does not get them.
   */
  named: string | null
  /** Names the booking that a `requested`, `created` or `moved` makes where neither the name nor the person leads to one. */
  newId: string | null
}

/** The normalized change that an event tells, as kept for the fold. Free of guests' data but for `details`. */
export interface Fact {
  /** The dedupe key: the last tie-break of the order. */
  key: string
  kind: FactKind
  target: Target
  occurredUs: Micros
  /** The booking that this one replaces. */
  previous: Target | null
  /** The old times as the provider tells them: for `Previous` where nothing is known of that booking. */
  previousTimes?: { startsUs: Micros | null; endsUs: Micros | null }
  /** Null where the fact does not say. */
  meetingId: string | null
  startsUs: Micros | null
  endsUs: Micros | null
  /** Who or what is occupied; null where the fact does not say. */
  resources: string[] | null
  /** The resources are second best (an address where others give a number): those that the booking has by then stay instead. */
  keepsResources?: boolean
  /** By which person-targets reach this booking; null where the provider always names bookings. */
  alias: string | null
  noShow: boolean | null
  cancellation: Omit<Cancellation, 'reason'> | null
  /** The adapter found the change by comparing what it fetched: it is told even where the booking reads the same (a label, a note). */
  isNews?: boolean
  /** The end of those of a meeting of whom no other event told: where nobody of it is known there is nobody left to tell of. */
  isRest?: boolean
  /**
   * An `updated` that describes a booking which stood before anything was heard of it (it is older than the installation): it is confirmed where it is not
   * known, takes its slot, and is told as what it is, never as created.
   */
  wasThere?: boolean
  /** Guests' data; null after erasure or retention. */
  details: FactDetails | null
}

/** The part of a fact that may name people. Absent keys mean "this fact does not say". */
export interface FactDetails {
  booking?: Partial<BookingDetails>
  payment?: Payment | null
  cancellationReason?: string | null
}

const ranks: Record<FactKind, number> = {
  requested: 0,
  created: 1,
  updated: 2,
  reassigned: 2,
  paid: 3,
  started: 4,
  ended: 5,
  moved: 6,
  half: 6,
  rejected: 7,
  canceled: 7,
  no_show: 8,
}

/** The order of facts (rule 2 of the model): the provider's time, then the rank of the change, then the dedupe key. */
export function compareFacts(a: Fact, b: Fact): number {
  return (
    a.occurredUs - b.occurredUs ||
    ranks[a.kind] - ranks[b.kind] ||
    (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
  )
}
