import { noDetails, type StoredBooking } from '@booking-webhooks/core'
import type { Row } from '../dialects/dialect.js'
import { jsonOrNull, parsed } from './event-row.js'

/** The columns of a booking's row: what is queried, the guest-free rest (`data`), and what names people (`details`). */
export function bookingRow(provider: string, account: string, booking: StoredBooking): Row {
  const { details, payment, cancellation, snapshot, ...guestFree } = booking
  return {
    provider,
    account,
    booking_id: booking.id,
    thread_id: booking.threadId,
    meeting_id: booking.meetingId,
    status: booking.status === 'confirmed' && booking.waits ? 'conflict' : booking.status,
    told: booking.told,
    starts_us: booking.startsUs,
    ends_us: booking.endsUs,
    updated_us: booking.updatedUs,
    data: JSON.stringify({ ...guestFree, cancellation: cancellation && { ...cancellation, reason: null } }),
    details: jsonOrNull({ details, payment, snapshot, reason: cancellation?.reason ?? null }),
  }
}

/** What `storedBooking` reads. */
export const bookingColumns = ['data', 'details'] as const

/** A booking's row as the fold left it. What was blanked comes back empty. */
export function storedBooking(row: Row): StoredBooking {
  const data = parsed(row.data) as Omit<StoredBooking, 'details' | 'payment' | 'snapshot'>
  const guests = parsed(row.details) as GuestPart | null
  return {
    ...data,
    details: guests?.details ?? noDetails(),
    payment: guests?.payment ?? null,
    snapshot: guests?.snapshot ?? null,
    cancellation: data.cancellation && { ...data.cancellation, reason: guests?.reason ?? null },
  }
}

type GuestPart = Pick<StoredBooking, 'details' | 'payment' | 'snapshot'> & { reason: string | null }
