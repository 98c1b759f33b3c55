import { type ProviderEventType, storableText } from '@booking-webhooks/core'

/**
 * What one request of Acuity says: which resource to look at again, and why. Never what happened.
 * https://developers.acuityscheduling.com/docs/webhooks
 */
export interface Notification {
  /** The form's fields, as sent. */
  fields: Record<string, string>
  /** As sent: `scheduled` or `appointment.scheduled`. */
  action: string
  /** `appointment` is a poke; an order and an unknown action are told as they are. */
  about: 'appointment' | 'order' | 'unknown'
  /** `scheduled` for both spellings. */
  name: string
  id: string
}

/** Bytes that Acuity signed and that make no sense, with the action as far as it could be read. */
export interface UnreadableNotification {
  action: string | null
  unreadable: string
}

const appointmentActions = new Set(['scheduled', 'rescheduled', 'canceled', 'changed'])

/** Reads a request's body, which is a form. Never throws. */
export function readNotification(body: Uint8Array): Notification | UnreadableNotification {
  const form = new URLSearchParams(new TextDecoder().decode(body))
  const fields = Object.fromEntries(
    [...form].map(([name, value]) => [storableText(name), storableText(value)]),
  )
  const action = only(form, 'action')
  // An action becomes an event's name: in sight, and of a length that a name has.
  if (action === null || !/^[\x21-\x7e]{1,100}$/.test(action))
    return { action: null, unreadable: 'It has no single, plain action.' }
  const id = only(form, 'id')
  // Nineteen digits hold every 64-bit id; nothing else belongs into the path of an API call.
  if (id === null || !/^[1-9]\d{0,18}$/.test(id))
    return { action, unreadable: 'It has no single, numeric id.' }
  return { fields, action, ...meaning(action, form), id }
}

/** The type under which a notification is told where no booking can be. */
export function noticeType({ about, action, name }: Notification): ProviderEventType {
  return about === 'appointment' ? `provider.appointment.${name}` : `provider.${action}`
}

/** Static hooks say `scheduled`, dynamic ones `appointment.scheduled`; which says which is not promised. */
function meaning(action: string, form: URLSearchParams): Pick<Notification, 'about' | 'name'> {
  if (action === 'order.completed') return { about: 'order', name: action }
  const name = action.replace(/^appointment\./, '')
  const isAppointment = appointmentActions.has(name) || form.has('appointmentTypeID')
  return { about: isAppointment ? 'appointment' : 'unknown', name }
}

function only(form: URLSearchParams, name: string): string | null {
  const values = form.getAll(name)
  return values.length === 1 ? (values[0] ?? null) : null
}
