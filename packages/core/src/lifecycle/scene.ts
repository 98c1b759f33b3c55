import { type Assignment, type AssignOptions, assignSlots } from './assign-slots.js'
import { type Rows, rowsAfter } from './booking-rows.js'
import type { Known, StoredBooking } from './decision.js'
import { compareFacts, type Fact } from './fact.js'
import { type Folding, foldFacts } from './fold.js'
import { factsOf, factsWith } from './known-facts.js'
import { isOver } from './status.js'
import { type Tellings, tellings } from './tellings.js'
import { earlierOf, newestOf } from './thread.js'

/** Everything that deciding one fact looks at and writes to. Its rows are its own: what was given is left as it is. */
export interface Scene extends Tellings {
  known: Known
  fact: Fact
  /** As stored: without the fact, or with what it said when it was decided before. */
  before: Folding
  after: Folding
  rows: Rows
  assignment: Assignment
}

/** The scene of a fact that is being decided: folded as stored and with it, slots assigned, nothing told yet. */
export function sceneOf(known: Known, fact: Fact, options: AssignOptions): Scene {
  const before = foldFacts(factsOf(known))
  const after = foldFacts(factsWith(known, fact))
  const rows = rowsAfter(known, before, after)
  const targets = after.touched.get(fact.key)?.targets ?? []
  const assignment = assignSlots(known, rows, targets, options)
  return { known, fact, before, after, rows, assignment, ...tellings(rows, fact) }
}

/** A booking's row; every booking of the folding has one. */
export function rowOf({ rows }: Pick<Scene, 'rows'>, id: string): StoredBooking {
  const row = rows.get(id)
  if (!row) throw new Error(`No row was made for a booking of the folding (${rows.size} rows).`)
  return row
}

/** The nearest earlier booking of the thread of whose end subscribers, told of it, have not heard. */
export function nearestUnended({ after, rows }: Scene, id: string): StoredBooking | null {
  const earlier = earlierOf(after.bookings, id).flatMap(booking => rows.get(booking.id) ?? [])
  const unmade = [...rows.values()].filter(row => row.nextId === id && !after.bookings.has(row.id))
  return [...earlier, ...unmade].find(row => row.told === 'open') ?? null
}

/** The newest booking of the thread that a booking belongs to; null where the facts that made it are about nobody now. */
export function newestAfter({ after, rows }: Scene, row: StoredBooking): StoredBooking | null {
  const booking = after.bookings.get(row.id) ?? after.bookings.get(row.nextId ?? '')
  return (booking && rows.get(newestOf(after.bookings, booking).id)) ?? null
}

/** Whether a later fact, by the order of facts, is known of the booking. */
export function isOlderThanKnown({ known, fact, after }: Scene, id: string): boolean {
  return factsOf(known).some(
    other => compareFacts(other, fact) > 0 && after.touched.get(other.key)?.targets.includes(id),
  )
}

/** A booking that is over, or that facts make no more, whose subscribers were told of it but not of its end. */
export function isUnended({ after }: Pick<Scene, 'after'>, row: StoredBooking): boolean {
  const isUnmade = row.status === null && !after.bookings.has(row.id)
  return row.told === 'open' && (isOver(row) || isUnmade)
}
