import { type Links, textOrNull } from '@booking-webhooks/core'
import type { CalcomPayload } from './payload.js'

/**
 * Where an attendee cancels or moves the booking; null where the body does not tell the booking page, or a platform shows its own.
 * `seat` is the seat's bare id. https://cal.com/docs/developing/guides/automation/webhooks
 */
export function linksOf(payload: CalcomPayload, uid: string, seat: string | null): Links | null {
  const page = textOrNull(payload.bookerUrl)
  if (page === null || !/^https?:\/\//i.test(page) || textOrNull(payload.platformClientId) !== null)
    return null
  const base = page.replace(/\/+$/, '')
  const whose = encodeURIComponent(uid)
  const seatOnly = seat === null ? '' : `&seatReferenceUid=${encodeURIComponent(seat)}`
  return {
    cancel: payload.disableCancelling
      ? null
      : `${base}/booking/${whose}?cancel=true&allRemainingBookings=false${seatOnly}`,
    reschedule: payload.disableRescheduling
      ? null
      : `${base}/reschedule/${seat === null ? whose : encodeURIComponent(seat)}`,
  }
}
