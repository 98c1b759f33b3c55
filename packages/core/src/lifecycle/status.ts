import type { FoldedBooking } from './decision.js'

type Standing = Pick<FoldedBooking, 'status'>

/** Canceled, rejected or rescheduled: a booking that is over never comes back. */
export function isOver({ status }: Standing): boolean {
  return status === 'canceled' || status === 'rejected' || status === 'rescheduled'
}

/** Requested or confirmed. */
export function isActive({ status }: Standing): boolean {
  return status === 'requested' || status === 'confirmed'
}
