export { type AcuityOptions, acuity } from './acuity.js'
export type { AcuityAppointment, AcuityForm, AcuityFormValue } from './appointment.js'
export type { GetToken } from './credentials.js'
export type { AcuityRaw } from './raw.js'
