import { type Fact, formatInstant, type InterpretedFact, type StoredBooking } from '@booking-webhooks/core'
import type { Appointment } from './appointment.js'
import type { Change } from './compare.js'
import { detailsOf, paymentOf } from './details.js'

/**
 * A change as kept for the fold. Only a first booking has a time of Acuity's; for all else the arrival counts. `booking` is null where
 * nothing is known of it.
 */
export function factOf(
  change: Change,
  found: Appointment,
  booking: StoredBooking | null,
): InterpretedFact['fact'] {
  const payment = paymentOf(found)
  const about: Pick<Fact, 'target' | 'previous' | 'alias' | 'cancellation'> = {
    target: { kind: 'booking', id: found.id },
    previous: null,
    alias: null,
    cancellation: change === 'canceled' ? { by: 'unknown', rescheduleRequested: false } : null,
  }
  // A late creation that says nothing else: it is refused, loudly, and what is stored stays.
  if (change === 'revived') return { ...about, ...nothing, kind: 'created' }
  return {
    ...about,
    kind: change,
    isNews: true,
    // An appointment that stands, is not known and is not new is older than the installation.
    ...(change === 'updated' && booking === null && { wasThere: true }),
    occurredUs: change === 'created' ? found.createdUs : null,
    meetingId: meetingOf(found),
    startsUs: found.startsUs,
    endsUs: found.endsUs,
    resources: resourcesOf(found),
    noShow: found.isNoShow,
    details: {
      booking: detailsOf(found, booking?.details.attendee),
      ...(payment !== undefined && { payment }),
    },
  }
}

const nothing = {
  occurredUs: null,
  meetingId: null,
  startsUs: null,
  endsUs: null,
  resources: null,
  noShow: null,
  details: null,
}

/** An answer that leaves the calendar out frees none. */
function resourcesOf({ calendarId, answer }: Appointment): string[] | null {
  if (calendarId !== null) return [calendarId]
  return answer.calendarID === undefined ? null : []
}

/** All attendees of one offering of a class share a meeting, and with it a slot; else the appointment is its own. */
export function meetingOf({ id, classId, calendarId, startsUs }: Appointment): string {
  return classId === null ? id : `class:${classId}:${calendarId ?? ''}@${formatInstant(startsUs)}`
}
