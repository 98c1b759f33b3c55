import type { SampleDelivery, SampleOptions } from '@booking-webhooks/core'
import type { AcuityAppointment } from '../appointment.js'
import { sign } from '../sign.js'

export { sign as acuitySignature }

export interface AcuityDeliveryOptions extends SampleOptions {
  /** `scheduled`, `rescheduled`, `canceled`, `changed`, each also with `appointment.` in front; `order.completed`; or any other. */
  action: string
  /** The appointment's id, or the order's. Default 510200301. */
  id?: number
  title?: string
  /** The appointment in its new state: gives id, calendar and type, and is what a fake API should answer from now on. */
  appointment?: AcuityAppointment
  /** Fields that replace those of the form; undefined leaves one out. */
  fields?: Record<string, string | undefined>
}

/** A delivery, and what the API answers once it is sent: hand it to `put` of a fake. */
export interface AcuitySampleDelivery extends SampleDelivery {
  appointment: AcuityAppointment | null
}

/** One delivery, signed as Acuity signs. It holds no time: two changes of one kind are the same bytes. */
export function acuityDelivery(options: AcuityDeliveryOptions): AcuitySampleDelivery {
  const { action, key, account = 'default', appointment = null } = options
  const id = options.id ?? appointment?.id ?? 510200301
  const ofAppointment = {
    calendarID: String(appointment?.calendarID ?? 40001),
    appointmentTypeID: String(appointment?.appointmentTypeID ?? 70002),
  }
  const form = new URLSearchParams()
  const fields = { action, id: String(id), ...(action === 'order.completed' ? {} : ofAppointment) }
  for (const [name, value] of Object.entries({ ...fields, ...options.fields }))
    if (value !== undefined) form.append(name, value)
  const body = new TextEncoder().encode(form.toString())
  return {
    title: options.title ?? action,
    method: 'POST',
    path: account === 'default' ? '/acuity' : `/acuity/${encodeURIComponent(account)}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-acuity-signature': sign(key, body),
    },
    body,
    appointment,
  }
}
