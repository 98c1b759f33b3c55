import { applyFact, type Touched } from './apply-fact.js'
import type { FoldedBooking } from './decision.js'
import { type Drafts, foldedOf } from './draft.js'
import { compareFacts, type Fact } from './fact.js'
import { threadOf } from './thread.js'

/** The bookings that facts come to, and whom each fact was found to be about, by its key. */
export interface Folding {
  bookings: Map<string, FoldedBooking>
  touched: Map<string, Touched>
  /** Bookings that a create, request or move tells of, or that were there: not only a link, a mark or an end. */
  made: Set<string>
}

/**
 * What the facts of some bookings, their threads and meetings come to, by booking id. Pure, and the order in which the facts
 * are given does not matter: they are sorted by `compareFacts`. All that share a subject must be given together.
 */
export function fold(facts: readonly Fact[]): Map<string, FoldedBooking> {
  return foldFacts(facts).bookings
}

/** As `fold`, and tells whom each fact is about. */
export function foldFacts(facts: readonly Fact[]): Folding {
  const drafts: Drafts = { byId: new Map(), endedMeetings: new Map() }
  const touched = new Map<string, Touched>()
  const sorted = [...facts].sort(compareFacts)
  const made = new Set<string>()
  for (const [position, fact] of sorted.entries()) {
    const found = applyFact(drafts, fact, position)
    touched.set(fact.key, found)
    if (isMaking(fact)) for (const id of found.targets) made.add(id)
  }

  const bookings = new Map<string, FoldedBooking>()
  for (const draft of drafts.byId.values())
    bookings.set(draft.id, { ...foldedOf(draft), threadId: threadOf(drafts.byId, draft.id) })
  return { bookings, touched, made }
}

function isMaking({ kind, wasThere = false }: Fact): boolean {
  return kind === 'requested' || kind === 'created' || kind === 'moved' || wasThere
}
