import type { BookingDetails, Payment } from './booking.js'
import type { Cancellation } from './event.js'
import type { Micros } from './instant.js'

/**
 * What a fact does to its target.
 * `half` is the half of a reschedule that does not know the new time: its target is the new booking, `previous` the old one.
 * `moved` changes times (and meeting) in place; `reassigned` changes resources and hosts in place.
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
  /** `alias` is the hashed address; `newId` names the booking that a `created` makes where the person has none. */
  | { kind: 'person'; meetingId: string; alias: string; newId: string | null }
  | { kind: 'meeting'; meetingId: string }

/** The normalized change that an event tells, as kept for the fold. Free of guests' data but for `details`. */
export interface Fact {
  /** The dedupe key: the last tie-break of the order. */
  key: string
  kind: FactKind
  target: Target
  occurredUs: Micros
  /** The booking that this one replaces. */
  previous: Target | null
  /** Null where the fact does not say. */
  meetingId: string | null
  startsUs: Micros | null
  endsUs: Micros | null
  /** Who or what is occupied; null where the fact does not say. */
  resources: string[] | null
  /** By which person-targets reach this booking; null where the provider always names bookings. */
  alias: string | null
  noShow: boolean | null
  cancellation: Omit<Cancellation, 'reason'> | null
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
