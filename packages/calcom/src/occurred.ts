import { type Micros, parseInstant } from '@booking-webhooks/core'
import type { Delivery } from './delivery.js'

/**
 * When it happened; null where the body does not tell. `MEETING_*` happen when the meeting starts or ends: their `createdAt`
 * is the booking row's and may be months old.
 */
export function occurredUs({ trigger, payload, createdUs }: Delivery): Micros | null {
  if (trigger === 'MEETING_STARTED') return parseInstant(payload.startTime)
  if (trigger === 'MEETING_ENDED') return parseInstant(payload.endTime)
  return createdUs
}
