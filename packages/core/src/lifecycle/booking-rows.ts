import { isDeepStrictEqual } from 'node:util'
import type { FoldedBooking, Known, StoredBooking } from './decision.js'
import type { Folding } from './fold.js'

/** The rows of all bookings concerned, by id: as they are to be once a fact is decided. */
export type Rows = Map<string, StoredBooking>

/**
 * The rows with the fold's state in them; what was told and what they hold is as it was. A booking that the facts make no more
 * (they named it for want of a better one) stays as a row without status, followed by the booking that they are about now, so
 * that its end can be told. A row of which no fact is known is left alone.
 */
export function rowsAfter(known: Pick<Known, 'bookings' | 'nowUs'>, before: Folding, after: Folding): Rows {
  const rows: Rows = new Map()
  for (const row of known.bookings)
    rows.set(row.id, before.bookings.has(row.id) ? unmade(row, before, after) : { ...row })
  for (const booking of after.bookings.values()) {
    const row = rows.get(booking.id)
    rows.set(booking.id, row ? { ...row, ...booking } : newRow(booking, known.nowUs))
  }
  return rows
}

function unmade(row: StoredBooking, before: Folding, after: Folding): StoredBooking {
  const [makers] = [...before.touched].filter(([, { targets }]) => targets.includes(row.id))
  const successor = makers && after.touched.get(makers[0])?.targets[0]
  return { ...row, status: null, previousId: null, nextId: successor ?? null }
}

/** The row of a booking of which nobody was told. */
export function newRow(booking: FoldedBooking, nowUs: number): StoredBooking {
  return { ...booking, told: 'none', toldAs: null, waits: false, snapshot: null, updatedUs: nowUs }
}

/** The rows that differ from what is stored, stamped with the time of the change, and those asked for by id. */
export function changedRows(
  known: Pick<Known, 'bookings' | 'nowUs'>,
  rows: Rows,
  asked: readonly string[],
): StoredBooking[] {
  const stored = new Map(known.bookings.map(row => [row.id, row]))
  return [...rows.values()].flatMap(row => {
    if (!isSame(stored.get(row.id), row)) return [{ ...row, updatedUs: known.nowUs }]
    return asked.includes(row.id) ? [row] : []
  })
}

function isSame(stored: StoredBooking | undefined, row: StoredBooking): boolean {
  return stored !== undefined && isDeepStrictEqual({ ...stored, updatedUs: 0 }, { ...row, updatedUs: 0 })
}
