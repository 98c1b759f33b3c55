import { type Cancellation, textOrNull } from '@booking-webhooks/core'
import { hostsOf } from './hosts.js'
import type { CalcomPayload } from './payload.js'
import { aliasOf, personsOf } from './person.js'
import { seatingOf } from './seating.js'

/** Who canceled, as far as the body tells. The address in it is what the cancel link carried: shown, never trusted. */
export function cancellationOf(payload: CalcomPayload): Cancellation {
  const rescheduleRequested = asksForAnotherTime(payload)
  return {
    by: rescheduleRequested ? 'host' : cancelerOf(payload),
    reason: textOrNull(payload.cancellationReason),
    rescheduleRequested,
  }
}

/** A host declined: of a request, or (hosted) of a confirmed seat. */
export function rejectionOf(payload: CalcomPayload): Cancellation {
  return { by: 'host', reason: textOrNull(payload.rejectionReason), rescheduleRequested: false }
}

/** Servers before 2026 lack the field, and `status` with it: then the reason that Cal.com writes itself is the one sign. */
function asksForAnotherTime(payload: CalcomPayload): boolean {
  if (payload.requestReschedule === true) return true
  if ([payload.requestReschedule, payload.status].some(isThere)) return false
  return textOrNull(payload.cancellationReason)?.startsWith('Please reschedule.') ?? false
}

function isThere(field: unknown): boolean {
  return field !== undefined && field !== null && field !== ''
}

function cancelerOf(payload: CalcomPayload): Cancellation['by'] {
  const canceler = textOrNull(payload.cancelledBy)
  if (canceler === null || seatingOf(payload) === 'seated') return 'unknown'
  const plain = (email: string) => email.trim().toLowerCase()
  const isHost = hostsOf(payload).some(host => host.email !== null && plain(host.email) === plain(canceler))
  if (isHost) return 'host'
  const isAttendee = personsOf(payload, plain).some(person => person.alias === aliasOf(canceler, plain))
  return isAttendee ? 'attendee' : 'unknown'
}
