import type { InterpretedFact } from '@booking-webhooks/core'
import { formatInstant } from '@booking-webhooks/core'
import type { Appointment } from './appointment.js'
import type { Change } from './compare.js'
import { detailsOf, paymentOf } from './details.js'

/** A change as kept for the fold. Only a first booking has a time of Acuity's; for all else the arrival counts. */
export function factOf(change: Change, found: Appointment, isFirst: boolean): InterpretedFact['fact'] {
  return {
    kind: change,
    target: { kind: 'booking', id: found.id },
    occurredUs: change === 'created' && isFirst ? found.createdUs : null,
    previous: null,
    meetingId: meetingOf(found),
    startsUs: found.startsUs,
    endsUs: found.endsUs,
    resources: found.calendarId === null ? [] : [found.calendarId],
    alias: null,
    noShow: found.isNoShow,
    cancellation: change === 'canceled' ? { by: 'unknown', rescheduleRequested: false } : null,
    details: { booking: detailsOf(found), payment: paymentOf(found) },
  }
}

/** All attendees of one offering of a class share a meeting, and with it a slot; else the appointment is its own. */
function meetingOf({ id, classId, calendarId, startsUs }: Appointment): string {
  return classId === null ? id : `class:${classId}:${calendarId ?? ''}@${formatInstant(startsUs)}`
}
