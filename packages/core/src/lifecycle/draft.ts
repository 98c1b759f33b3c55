import { noDetails } from '../event/no-details.js'
import type { FoldedBooking } from './decision.js'
import type { Fact } from './fact.js'

/** A booking while the fold is at work on it. */
export interface Draft extends FoldedBooking {
  /** Where in the order of facts it came into its meeting; -1 while it is in none. */
  joinedAt: number
  /** Who did not come, by alias; null is whoever is meant where nobody is named. Without seats a guest is marked apart from who booked. */
  absent: ReadonlySet<string | null>
}

/** Everything that the fold has come to so far. */
export interface Drafts {
  byId: Map<string, Draft>
  /** Meetings that ended as a whole, with the fact that ended them: whoever joins one later ends with it. */
  endedMeetings: Map<string, Fact>
}

/** The booking's draft, begun where there is none. */
export function draftOf({ byId }: Drafts, id: string): Draft {
  const known = byId.get(id)
  if (known) return known
  const draft = blankDraft(id)
  byId.set(id, draft)
  return draft
}

/** A booking of which nothing is known but its name. */
export function blankDraft(id: string): Draft {
  return {
    id,
    threadId: id,
    previousId: null,
    nextId: null,
    meetingId: null,
    status: null,
    startsUs: null,
    endsUs: null,
    resources: [],
    alias: null,
    noShow: false,
    payment: null,
    details: noDetails(),
    cancellation: null,
    lastOccurredUs: 0,
    joinedAt: -1,
    absent: new Set(),
  }
}

/** The booking without what only the fold needs. */
export function foldedOf({ joinedAt: _, absent: __, ...booking }: Draft): FoldedBooking {
  return booking
}

/** Who is in a meeting, in the order in which they came. */
export function membersOf({ byId }: Drafts, meetingId: string): Draft[] {
  return [...byId.values()]
    .filter(draft => draft.joinedAt >= 0 && draft.meetingId === meetingId)
    .sort((a, b) => a.joinedAt - b.joinedAt)
}

/** A meeting has seats where a booking of another id than its own has come into it. */
export function hasSeats(drafts: Drafts, meetingId: string): boolean {
  return membersOf(drafts, meetingId).some(({ id }) => id !== meetingId)
}
