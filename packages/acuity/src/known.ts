import type { StoredBooking } from '@booking-webhooks/core'
import { readAppointment } from './appointment.js'
import { type Compared, comparedOf } from './compared.js'
import { placeIn } from './place.js'

/** What is stored of an appointment, to compare an answer with. */
export interface Known {
  isCanceled: boolean
  isNoShow: boolean
  compared: Compared
  /** False where the last answer is gone (retention, erasure): no more than its place can be compared then. */
  isWhole: boolean
}

/** Reads a booking's row; null where no answer about it was ever settled. */
export function knownOf(booking: StoredBooking | null): Known | null {
  if (!booking) return null
  const stored = readAppointment(booking.snapshot, booking.id)
  if (!stored && booking.status === null && booking.lastOccurredUs === 0) return null
  return {
    isCanceled: booking.status === 'canceled',
    isNoShow: booking.noShow,
    compared: stored ? comparedOf(stored) : comparedByRow(booking),
    isWhole: stored !== null,
  }
}

function comparedByRow(booking: StoredBooking): Compared {
  const { startsUs } = booking
  return startsUs === null ? {} : comparedOf({ startsUs, answer: placeIn(booking) })
}
