import { idOrNull } from '@booking-webhooks/core'
import type { CalcomPayload } from './payload.js'

/** Whether a body is about an event with seats; `unknown` where its trigger (or version) leaves the field out. */
export type Seating = 'seated' | 'unseated' | 'unknown'

export function seatingOf(payload: CalcomPayload): Seating {
  if (seatIdOf(payload) !== null) return 'seated'
  const seats: unknown = payload.seatsPerTimeSlot
  // A template writes the number as text, and nothing for null.
  if (typeof seats === 'number' || (typeof seats === 'string' && /^\d+$/.test(seats)))
    return Number(seats) > 0 ? 'seated' : 'unseated'
  return seats === null ? 'unseated' : 'unknown'
}

/** The booking's id of the seat that a body names. Not joined with the uid: a seat keeps its id when it moves between meetings. */
export function seatIdOf(payload: CalcomPayload): string | null {
  return seatBooking(payload.attendeeSeatId)
}

/** As `seatIdOf`, for a seat's bare id. */
export function seatBooking(seat: unknown): string | null {
  const id = idOrNull(seat)
  return id === null ? null : idOrNull(`seat:${id}`)
}
