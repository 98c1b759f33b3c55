import {
  type Adapter,
  type Interpreted,
  objectOrNull,
  type StoredBooking,
  type StoredReading,
} from '@booking-webhooks/core'
import { factOf } from './fact.js'
import { contentOf, type Happening, happeningsOf } from './happening.js'
import { lookForCreatedHalf, missedDeliveries } from './look.js'
import type { CalendlyEnvelope, CalendlyScheduledEvent, CalendlySnapshot } from './payload.js'

/** Stored readings as events. Pure, and never throws. `missingHalfMs` is how long the other half of a reschedule is waited for. */
export function interpreter(missingHalfMs: number): Adapter['interpret'] {
  return (reading, snapshot, booking) => {
    const fetched = objectOrNull<CalendlySnapshot>(snapshot)
    if (reading.isLook) return interpretLook(reading, fetched, missingHalfMs)
    const content = contentOf(reading.body)
    const key = reading.dedupeKey
    if ('problem' in content) return [{ key, unreadable: content.problem }]
    const happening = content.happenings[reading.index]
    if (!happening) return [{ key, unreadable: 'the body does not tell so many events' }]
    const meeting = objectOrNull<CalendlyScheduledEvent>(fetched?.scheduled_event)
    return interpreted({ ...happening, dedupeKey: key }, content.envelope, meeting, booking, missingHalfMs)
  }
}

function interpretLook(
  look: StoredReading,
  fetched: CalendlySnapshot | null,
  missingHalfMs: number,
): Interpreted[] {
  const key = look.dedupeKey
  const missed = missedDeliveries(look, fetched)
  if (missed.length === 0) return [{ key, unchanged: 'Calendly did not tell of the other half.' }]
  return missed.flatMap((raw): Interpreted[] => {
    const happenings = happeningsOf(raw, () => key)
    if ('problem' in happenings) return [{ key, unreadable: happenings.problem }]
    return happenings.flatMap(happening => interpreted(happening, raw, null, null, missingHalfMs))
  })
}

function interpreted(
  happening: Happening,
  raw: CalendlyEnvelope,
  meeting: CalendlyScheduledEvent | null,
  booking: StoredBooking | null,
  missingHalfMs: number,
): Interpreted[] {
  const { dedupeKey: key, occurredUs } = happening
  if (happening.of === 'other') return [{ key, type: `provider.${happening.event}`, occurredUs, raw }]
  const fact = factOf(happening, meeting)
  const { oldInvitee, newInvitee } = happening
  if (fact.kind !== 'half' || newInvitee === null) return [{ key, fact, raw }]
  const half = { key, fact, raw, look: lookForCreatedHalf(newInvitee, missingHalfMs) }
  // In the middle of a chain: the older link counts too, in case the half that made it never came.
  if (oldInvitee === null || booking?.previousId === oldInvitee) return [half]
  const end = factOf({ ...happening, newInvitee: null }, meeting)
  return [half, { key: `${key}|${oldInvitee}`, fact: end, raw }]
}
