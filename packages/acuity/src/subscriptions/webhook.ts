import { objectOrNull, textOrNull } from '@booking-webhooks/core'
import { readId } from '../appointment.js'

/** `appointment.changed` covers the other three of appointments. */
export type AcuityWebhookEvent =
  | 'appointment.changed'
  | 'appointment.scheduled'
  | 'appointment.rescheduled'
  | 'appointment.canceled'
  | 'order.completed'

/** A dynamic webhook, which sends one event to one target. https://developers.acuityscheduling.com/page/webhooks-webhooks-webhooks */
export interface AcuityWebhook {
  id: string
  /** An `AcuityWebhookEvent`, or one that did not exist when this was written. */
  event: string
  target: string
  /** False once Acuity has switched it off: it stays off, and only a new one in its place sends again. */
  isActive: boolean
}

/** Reads one of the API's; null where it is none. */
export function readWebhook(json: unknown): AcuityWebhook | null {
  const sent = objectOrNull<{ id?: unknown; event?: unknown; target?: unknown; status?: unknown }>(json)
  const id = readId(sent?.id)
  const event = textOrNull(sent?.event)
  const target = textOrNull(sent?.target)
  if (!sent || id === null || event === null || target === null) return null
  return { id, event, target, isActive: sent.status === undefined || sent.status === 'active' }
}
