import type { BookingEvent } from '@booking-webhooks/core'

/** What a calendar looks at in an event. */
export interface Told {
  type: string
  /** Null for an event that is about no booking. */
  booking: string | null
  startsAt: string | null
  previous: string | null
}

export function toldOf(event: BookingEvent): Told {
  return {
    type: event.type,
    booking: event.booking?.id ?? null,
    startsAt: event.booking?.startsAt ?? null,
    previous: event.previous?.bookingId ?? null,
  }
}
