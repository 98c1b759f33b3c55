import { type Assignment, type AssignOptions, assignSlots } from './assign-slots.js'
import { type Rows, rowsAfter } from './booking-rows.js'
import type { Known, StoredBooking } from './decision.js'
import { compareFacts, type Fact } from './fact.js'
import { type Folding, foldFacts } from './fold.js'
import { factsWith, factsWithout } from './known-facts.js'
import { isOver } from './status.js'
import { type Tellings, tellings } from './tellings.js'
import { earlierOf, newestOf } from './thread.js'

/** Everything that deciding one fact looks at and writes to. Its rows are its own: what was given is left as it is. */
export interface Scene extends Tellings {
  known: Known
  fact: Fact
  before: Folding
  after: Folding
  rows: Rows
  assignment: Assignment
}

/** The scene of a fact that is being decided: folded without and with it, slots assigned, nothing told yet. */
export function sceneOf(known: Known, fact: Fact, options: AssignOptions): Scene {
  const before = foldFacts(factsWithout(known, fact))
  const after = foldFacts(factsWith(known, fact))
  const rows = rowsAfter(known, after)
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
export function nearestUnended({ after, rows, ...scene }: Scene, id: string): StoredBooking | null {
  const earlier = earlierOf(after.bookings, id).flatMap(booking => rows.get(booking.id) ?? [])
  const absorbed = [...rows.values()].filter(row => successorOf({ after, ...scene }, row) === id)
  return [...earlier, ...absorbed].find(row => row.told === 'open') ?? null
}

/** The newest booking of the thread that a booking belongs to; null where the facts that made it are about nobody now. */
export function newestAfter(scene: Scene, row: StoredBooking): StoredBooking | null {
  const id = successorOf(scene, row) ?? row.id
  const booking = scene.after.bookings.get(id)
  if (!booking) return null
  return scene.rows.get(newestOf(scene.after.bookings, booking).id) ?? null
}

/** Whether a later fact, by the order of facts, is known of the booking. */
export function isOlderThanKnown({ known, fact, after }: Scene, id: string): boolean {
  return factsWithout(known, fact).some(
    other => compareFacts(other, fact) > 0 && after.touched.get(other.key)?.targets.includes(id),
  )
}

/** A booking's end, or its vanishing, that subscribers were told of the booking but not of. */
export function isUnended(scene: Pick<Scene, 'after'>, row: StoredBooking): boolean {
  return row.told === 'open' && (isOver(row) || !scene.after.bookings.has(row.id))
}

/** The booking that the facts are about which once, for want of a better one, made a booking that they no longer make. */
function successorOf({ before, after }: Pick<Scene, 'before' | 'after'>, row: StoredBooking): string | null {
  if (after.bookings.has(row.id)) return null
  for (const [key, { targets }] of before.touched)
    if (targets.includes(row.id)) return after.touched.get(key)?.targets[0] ?? null
  return null
}
