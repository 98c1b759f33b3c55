import type { FoldedBooking, StoredBooking } from './decision.js'
import { isUnended, newestAfter, type Scene } from './scene.js'
import { isActive, isOver } from './status.js'
import { isWhereItWasTold, type Standing, standingOf, tellConflict } from './tell-standing.js'
import { earlierOf } from './thread.js'
import { isSameStanding } from './verdict.js'

/** Names an event about this booking; the first that is no conflict may be the fact's own. */
export type SuffixFor = (id: string, isConflict: boolean) => string

/**
 * Tells of bookings that the fact is not about but changed all the same: they came into being, moved, or were taken back into
 * being, because it showed that earlier facts were about somebody else.
 */
export function tellChangedOthers(
  scene: Scene,
  toldAlready: ReadonlySet<string>,
  suffixFor: SuffixFor,
): void {
  for (const row of inOrder(scene)) {
    const was = scene.before.bookings.get(row.id)
    const isNews = row.told !== 'open' || (was !== undefined && !isSameStanding(was, row))
    if (!isActive(row) || toldAlready.has(row.id) || !isNews) continue
    const standing = hasMoved(row, was) ? inPlace(row) : standingOf(scene, row)
    if (row.waits) tellConflict(scene, row, standing, suffixFor(row.id, true))
    else if (hasMoved(row, was) && isWhereItWasTold(scene, row))
      scene.tell({ type: 'booking.updated', booking: row, suffix: suffixFor(row.id, false) })
    else scene.tell({ booking: row, ...standing, suffix: suffixFor(row.id, false) })
  }
}

function hasMoved(row: StoredBooking, was: FoldedBooking | undefined): boolean {
  return row.told === 'open' && was?.status === 'confirmed'
}

function inPlace({ id }: StoredBooking): Standing {
  return { type: 'booking.rescheduled', previousId: id }
}

/**
 * Whoever was told of a booking is told of its end (rule 5): with the newest booking of its thread, as a conflict where that
 * one waits, or as canceled where that one is over too. True where some are left for a created half that is still to come.
 */
export function tellUnended(scene: Scene, suffixFor: SuffixFor): boolean {
  let isLeft = false
  for (const row of inOrder(scene)) {
    if (!isUnended(scene, row) || !isForThis(scene, row)) continue
    const newest = newestAfter(scene, row)
    if (newest === null || newest === row || isOver(newest)) {
      scene.tell({ type: 'booking.canceled', booking: row, suffix: suffixFor(row.id, false) })
    } else if (newest.status === null) {
      isLeft = true
    } else if (newest.waits) {
      const standing = { type: 'booking.rescheduled', previousId: row.id } as const
      tellConflict(scene, newest, standing, suffixFor(row.id, scene.announcements.length === 0))
    } else {
      scene.tell({
        type: 'booking.rescheduled',
        booking: newest,
        previousId: row.id,
        suffix: suffixFor(row.id, false),
      })
    }
  }
  return isLeft
}

/** An end that was left for the created half waits for a fact that makes or links bookings; others are told with what brings them. */
function isForThis({ fact, before, after }: Scene, row: StoredBooking): boolean {
  const was = before.bookings.get(row.id)
  switch (fact.kind) {
    case 'requested':
    case 'created':
    case 'moved':
      return true
    case 'half':
      // Where the created half has come already, it did not name the old booking, and will not tell of it.
      return after.touched.get(fact.key)?.targets.some(id => before.made.has(id)) ?? false
    default:
      return fact.previous !== null || (was !== undefined && !isOver(was))
  }
}

/** Those that the fact's booking replaced first, nearest first; then the others by id. */
function inOrder({ rows, after, fact }: Scene): StoredBooking[] {
  const [target] = after.touched.get(fact.key)?.targets ?? []
  const near = target === undefined ? [] : earlierOf(after.bookings, target).map(({ id }) => id)
  const place = ({ id }: StoredBooking) => (near.includes(id) ? near.indexOf(id) : near.length)
  return [...rows.values()].sort((a, b) => place(a) - place(b) || (a.id < b.id ? -1 : 1))
}
