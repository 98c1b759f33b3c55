import { booleanOrNull, type Micros, objectOrNull, parseInstant } from '@booking-webhooks/core'

/**
 * `GET /appointments/:id`, the fields that are read. Any of them may be missing.
 * https://developers.acuityscheduling.com/reference/get-appointments-id
 */
export interface AcuityAppointment {
  id?: number
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  /** The start, with the offset of the calendar's zone: `2027-03-10T10:15:00-0800`. */
  datetime?: string
  datetimeCreated?: string
  /** Minutes. */
  duration?: string | null
  calendarID?: number | null
  calendar?: string | null
  appointmentTypeID?: number | null
  type?: string | null
  classID?: number | null
  addonIDs?: number[] | null
  price?: string | null
  priceSold?: string | null
  amountPaid?: string | null
  paid?: string | null
  certificate?: string | null
  /** The client's zone, for display only. */
  timezone?: string | null
  location?: string | null
  notes?: string | null
  canceled?: boolean | null
  noShow?: boolean | null
  canClientCancel?: boolean
  canClientReschedule?: boolean
  /** Holds a secret: who has it can cancel or move the appointment. */
  confirmationPage?: string | null
  forms?: AcuityForm[] | null
  labels?: { id?: number; name?: string | null }[] | null
}

/** An intake form with its answers. */
export interface AcuityForm {
  id?: number
  name?: string | null
  values?: AcuityFormValue[] | null
}

export interface AcuityFormValue {
  fieldID?: number
  /** The question. */
  name?: string | null
  value?: string | null
}

/** An answer that can be used: its times read, the rest as sent. */
export interface Appointment {
  id: string
  startsUs: Micros
  /** Null where the duration is no number of minutes. */
  endsUs: Micros | null
  createdUs: Micros | null
  calendarId: string | null
  classId: string | null
  isCanceled: boolean
  isNoShow: boolean
  answer: AcuityAppointment
}

/** Reads an answer of the API; null where it is another appointment's, or has no start that is certain. */
export function readAppointment(answer: unknown, id: string): Appointment | null {
  const appointment = objectOrNull<AcuityAppointment>(answer)
  if (!appointment) return null
  const startsUs = readInstant(appointment.datetime)
  const isCanceled = readFlag(appointment.canceled)
  const isNoShow = readFlag(appointment.noShow)
  if (readId(appointment.id) !== id || startsUs === null || isCanceled === null || isNoShow === null)
    return null
  const minutes = readMinutes(appointment.duration)
  return {
    id,
    startsUs,
    endsUs: minutes === null ? null : startsUs + minutes * 60_000_000,
    createdUs: readInstant(appointment.datetimeCreated),
    calendarId: readId(appointment.calendarID),
    classId: readId(appointment.classID),
    isCanceled,
    isNoShow,
    answer: appointment,
  }
}

/** Ids are numbers in the API; events hold them as text. */
export function readId(value: unknown): string | null {
  const isId = typeof value === 'string' ? /^\d+$/.test(value) : Number.isSafeInteger(value)
  return isId ? String(value) : null
}

/** `duration` is minutes as text. `time` and `endTime` are words in the account's format, and never read. */
export function readMinutes(value: unknown): number | null {
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : null
}

/** An appointment without forms has an empty list of them: null says as little as leaving them out. */
export function saysForms({ forms }: AcuityAppointment): boolean {
  return forms !== undefined && forms !== null
}

function readInstant(value: unknown): Micros | null {
  const micros = parseInstant(value)
  return micros !== null && Number.isSafeInteger(micros) ? micros : null
}

/** Absent means false. What is neither true nor false is not guessed at. */
function readFlag(value: unknown): boolean | null {
  if (value === undefined || value === null) return false
  return booleanOrNull(value)
}
