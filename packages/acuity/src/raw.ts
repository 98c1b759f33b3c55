import type { AcuityAppointment } from './appointment.js'

/** What `event.raw` holds for Acuity: both of what was sent and of what was then asked for. */
export interface AcuityRaw {
  /** The form's fields: `action`, `id` and, for appointments, `calendarID` and `appointmentTypeID`. */
  notification: Record<string, string>
  /** The API's answer as it came; null for orders, and without credentials. Its `confirmationPage` holds a secret. */
  appointment: AcuityAppointment | null
}
