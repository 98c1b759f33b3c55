import { formatInstant, idOrNull, parseInstant } from '@booking-webhooks/core'
import { type InviteeEvent, ownTimes } from './occurred.js'
import type { CalendlyEnvelope, CalendlyPayload } from './payload.js'

/**
 * What makes two deliveries about an invitee the same event. No envelope field where a finer one exists: an organization's and
 * a user's subscription send bodies for one booking that differ in `created_by` and in the envelope's time.
 */
export function inviteeKey(
  event: InviteeEvent,
  invitee: string,
  envelope: CalendlyEnvelope,
  payload: CalendlyPayload,
): string {
  if (event === 'invitee.created' || event === 'invitee.canceled') return `${event}:${invitee}`
  return `${event}:${invitee}:${idOrNull(payload.no_show?.uri) ?? timeText(envelope.created_at)}`
}

/** As `inviteeKey`, for events about no booking. The hash of the bytes serves only where nothing else names what happened. */
export function otherKey(
  event: string,
  envelope: CalendlyEnvelope,
  payload: CalendlyPayload,
  bodyHash: () => string,
): string {
  const uri = idOrNull(payload.uri)
  if (uri === null) return `${event}:sha256:${bodyHash()}`
  if (event === 'routing_form_submission.created') return `${event}:${uri}`
  const time = [...ownTimes(event, payload), envelope.created_at].map(timeText).find(text => text !== '')
  return `${event}:${uri}:${time ?? bodyHash()}`
}

/** One spelling for one instant; what is none counts as written. */
function timeText(time: unknown): string {
  const micros = parseInstant(time)
  return micros === null ? (idOrNull(time) ?? '') : formatInstant(micros)
}
