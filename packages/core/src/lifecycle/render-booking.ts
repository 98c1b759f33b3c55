import type { Booking } from '../event/booking.js'
import { formatInstantOrNull } from '../event/instant.js'
import type { FoldedBooking, StoredBooking } from './decision.js'

/** A booking as subscribers see it. One that waits for its slot is shown as `conflict`. */
export function renderBooking({
  id,
  threadId,
  meetingId,
  status,
  startsUs,
  endsUs,
  noShow,
  payment,
  details,
  waits,
}: FoldedBooking & Pick<StoredBooking, 'waits'>): Booking {
  return {
    id,
    threadId,
    meetingId,
    status: waits && status === 'confirmed' ? 'conflict' : status,
    startsAt: formatInstantOrNull(startsUs),
    endsAt: formatInstantOrNull(endsUs),
    noShow,
    payment,
    ...details,
  }
}
