import { type Micros, parseInstant } from '@booking-webhooks/core'
import type { CalendlyEnvelope, CalendlyPayload } from './payload.js'

const inviteeEvents = [
  'invitee.created',
  'invitee.canceled',
  'invitee_no_show.created',
  'invitee_no_show.deleted',
] as const

/** The events that are about a booking. */
export type InviteeEvent = (typeof inviteeEvents)[number]

export function isInviteeEvent(event: string): event is InviteeEvent {
  return (inviteeEvents as readonly string[]).includes(event)
}

/**
 * When it happened: the payload's own time, since the envelope's is cut to the second and may be earlier; null where none can be read.
 * Never `payload.updated_at` for no-shows, which does not move when one is marked.
 */
export function inviteeOccurredUs(
  event: InviteeEvent,
  envelope: CalendlyEnvelope,
  payload: CalendlyPayload,
): Micros | null {
  switch (event) {
    case 'invitee.created':
      return firstInstant(payload.created_at, envelope.created_at)
    case 'invitee.canceled':
      return firstInstant(payload.cancellation?.created_at, payload.updated_at, envelope.created_at)
    case 'invitee_no_show.created':
      return firstInstant(payload.no_show?.created_at, envelope.created_at)
    case 'invitee_no_show.deleted':
      return endOfSecond(firstInstant(envelope.created_at))
  }
}

/** As `inviteeOccurredUs`, for events about no booking. */
export function otherOccurredUs(
  event: string,
  envelope: CalendlyEnvelope,
  payload: CalendlyPayload,
): Micros | null {
  return firstInstant(...ownTimes(event, payload), envelope.created_at)
}

/** The times of the payload that tell when the event happened, the best one first. */
export function ownTimes(event: string, payload: CalendlyPayload): unknown[] {
  if (event.endsWith('.created')) return [payload.created_at]
  if (event.endsWith('.updated')) return [payload.updated_at]
  if (event.endsWith('.deleted')) return [payload.deleted_at]
  return [payload.deleted_at, payload.updated_at, payload.created_at]
}

function firstInstant(...texts: unknown[]): Micros | null {
  for (const text of texts) {
    const micros = parseInstant(text)
    if (micros !== null) return micros
  }
  return null
}

/** An envelope without a fraction was cut: the mark that it undoes may lie in the same second, but before it. */
function endOfSecond(micros: Micros | null): Micros | null {
  return micros !== null && micros % 1_000_000 === 0 ? micros + 999_999 : micros
}
