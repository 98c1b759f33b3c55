import { objectsIn, textOrNull } from '@booking-webhooks/core'
import {
  type AcuityAppointment,
  type AcuityForm,
  type AcuityFormValue,
  type Appointment,
  readId,
  readMinutes,
  saysForms,
} from './appointment.js'

/** The parts of an appointment whose change is an event, each as text. A part that is not there is not known. */
export type Compared = Partial<Record<Part, string>>

export type Part = keyof typeof parts | 'startsUs'

/**
 * How each part is compared. Not here: what flips by itself (`canClientCancel`), secrets (`confirmationPage`), words in the
 * account's format (`time`, `date`), what repeats another part (`formsText`), and names that an admin may change (`calendar`).
 */
const parts = {
  duration: (one: AcuityAppointment) => readMinutes(one.duration),
  calendarID: (one: AcuityAppointment) => readId(one.calendarID),
  appointmentTypeID: (one: AcuityAppointment) => readId(one.appointmentTypeID),
  classID: (one: AcuityAppointment) => readId(one.classID),
  firstName: (one: AcuityAppointment) => textOrNull(one.firstName),
  lastName: (one: AcuityAppointment) => textOrNull(one.lastName),
  email: (one: AcuityAppointment) => textOrNull(one.email),
  phone: (one: AcuityAppointment) => textOrNull(one.phone),
  timezone: (one: AcuityAppointment) => textOrNull(one.timezone),
  location: (one: AcuityAppointment) => textOrNull(one.location),
  notes: (one: AcuityAppointment) => textOrNull(one.notes),
  price: (one: AcuityAppointment) => textOrNull(one.price),
  priceSold: (one: AcuityAppointment) => textOrNull(one.priceSold),
  amountPaid: (one: AcuityAppointment) => textOrNull(one.amountPaid),
  paid: (one: AcuityAppointment) => textOrNull(one.paid),
  certificate: (one: AcuityAppointment) => textOrNull(one.certificate),
  addonIDs: (one: AcuityAppointment) => [one.addonIDs].flat().map(readId).sort(),
  labels: (one: AcuityAppointment) =>
    objectsIn<{ id: number }>(one.labels)
      .map(label => readId(label.id))
      .sort(),
  forms: (one: AcuityAppointment) => (saysForms(one) ? answersByField(one.forms) : undefined),
} satisfies { [Field in keyof AcuityAppointment]?: (one: AcuityAppointment) => unknown }

/** An appointment in comparable form. A list of the API leaves `forms` out: that is no change. */
export function comparedOf({ startsUs, answer }: Pick<Appointment, 'startsUs' | 'answer'>): Compared {
  const compared: Compared = { startsUs: String(startsUs) }
  for (const [part, read] of Object.entries(parts) as [
    keyof typeof parts,
    (one: AcuityAppointment) => unknown,
  ][]) {
    const value = answer[part] === undefined ? undefined : read(answer)
    if (value !== undefined) compared[part] = JSON.stringify(value)
  }
  return compared
}

/** Which parts are known on both sides and not the same. */
export function changedParts(before: Compared, after: Compared): Part[] {
  return (Object.keys(after) as Part[]).filter(
    part => before[part] !== undefined && before[part] !== after[part],
  )
}

/** Answers by form and field, whatever the order; a question put in other words is no change. */
function answersByField(forms: unknown): string[] {
  return objectsIn<AcuityForm>(forms)
    .flatMap(form =>
      objectsIn<AcuityFormValue>(form.values).map(({ fieldID, value }) =>
        JSON.stringify([form.id, fieldID, textOrNull(value)]),
      ),
    )
    .sort()
}
