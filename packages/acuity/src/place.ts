import type { StoredBooking } from '@booking-webhooks/core'
import { type AcuityAppointment, type Appointment, readAppointment } from './appointment.js'

/** Where and how long an appointment is, in the words of the API. */
type Place = Pick<AcuityAppointment, 'calendarID' | 'classID' | 'duration'>

/** What the row itself says of it, whatever became of the last answer: the appointment of a guest who was erased still takes its time. */
export function placeIn({ details, toldAs, meetingId, startsUs, endsUs }: StoredBooking): Place {
  const [host] = details.hosts.length > 0 ? details.hosts : (toldAs?.hosts ?? [])
  const [, classId] = /^class:(\d+):/.exec(meetingId ?? '') ?? []
  return {
    ...(host && { calendarID: Number(host.id) }),
    ...(meetingId !== null && { classID: classId === undefined ? null : Number(classId) }),
    ...(startsUs !== null && endsUs !== null && { duration: String((endsUs - startsUs) / 60_000_000) }),
  }
}

/** The appointment with what its answer leaves out of its place filled in; the answer itself stays as it came. */
export function placedAs(found: Appointment, booking: StoredBooking | null): Appointment {
  if (booking === null) return found
  const { id, answer } = found
  const said = Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined))
  const whole = readAppointment({ ...placeIn(booking), ...said }, id)
  return whole ? { ...whole, answer } : found
}
