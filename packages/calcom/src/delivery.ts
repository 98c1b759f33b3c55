import { createHash } from 'node:crypto'
import { idOrNull, type Micros, objectOrNull, parseInstant, parseJsonBody } from '@booking-webhooks/core'
import type { CalcomEnvelope, CalcomPayload } from './payload.js'

/** A signed body as Cal.com's envelope. */
export interface Delivery {
  /** As sent: `BOOKING_CREATED`. */
  trigger: string
  /** The envelope's time; null where there is none that can be read. */
  createdUs: Micros | null
  payload: CalcomPayload
  /** The booking (or meeting) that it names. */
  uid: string | null
  raw: CalcomEnvelope
  /** SHA-256 of the body, for keys of what nothing else tells apart. */
  bodyHash: string
}

/** Bytes that make no sense, and why: the end of a sentence. */
export interface Senseless {
  trigger: string | null
  problem: string
  /** The meeting that was canceled, wholly or in part: the API may know. */
  uid?: string
}

/**
 * Reads a body, whatever its content type says: Cal.com announces a form for some JSON, and sends `false` for a template that
 * rendered to none. Never throws. https://cal.com/docs/developing/guides/automation/webhooks
 */
export function deliveryOf(body: Uint8Array): Delivery | Senseless {
  const parsed = parseJsonBody(body)
  if ('problem' in parsed) return { trigger: null, problem: `the body ${parsed.problem}` }
  const raw = objectOrNull<CalcomEnvelope>(parsed.value)
  if (!raw) return { trigger: null, problem: 'the body is no JSON object' }
  const trigger = idOrNull(raw.triggerEvent)
  if (trigger === null) return { trigger, problem: 'the body has no triggerEvent' }
  // MEETING_* put the payload's fields beside triggerEvent.
  const payload = objectOrNull<CalcomPayload>(raw.payload) ?? raw
  return {
    trigger,
    createdUs: parseInstant(raw.createdAt),
    payload,
    uid: idOrNull(payload.uid) ?? idOrNull(payload.bookingUid) ?? idOrNull(payload.booking?.uid),
    raw,
    bodyHash: createHash('sha256').update(body).digest('hex'),
  }
}
