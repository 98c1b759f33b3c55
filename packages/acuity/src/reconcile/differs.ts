import { type BookingRow, formatInstant } from '@booking-webhooks/core'
import { type AcuityAppointment, type Appointment, readAppointment } from '../appointment.js'
import { detailsOf } from '../details.js'
import { meetingOf } from '../fact.js'

/** Whether a listed appointment is worth a look: it is not stored, cannot be read, or is not as it is stored. */
export function differs(
  row: AcuityAppointment,
  stored: BookingRow | undefined,
  { id, account }: { id: string; account: string },
): boolean {
  const found = readAppointment(row, id)
  if (!stored || !found) return true
  const { calendarId, startsUs, endsUs, isCanceled, isNoShow } = found
  const resource = calendarId === null ? '' : `acuity/${account}/${calendarId}`
  return (
    isCanceled !== (stored.status === 'canceled') ||
    isNoShow !== stored.noShow ||
    formatInstant(startsUs) !== stored.startsAt ||
    (endsUs === null ? null : formatInstant(endsUs)) !== stored.endsAt ||
    meetingOf(found) !== stored.meetingId ||
    resource !== stored.resources.join() ||
    isSomebodyElse(found, stored.attendee)
  )
}

/** A guest that is stored no more was erased, or there never was one: that is no reason to ask for the name again. */
function isSomebodyElse(found: Appointment, stored: BookingRow['attendee']): boolean {
  const { attendee } = detailsOf(found)
  return stored !== null && (attendee?.name !== stored.name || attendee?.email !== stored.email)
}
