export { type CalcomOptions, calcom } from './calcom.js'
export type { GetToken, Platform } from './credentials.js'
export type {
  CalcomApiBooking,
  CalcomAttendee,
  CalcomEnvelope,
  CalcomPayload,
  CalcomPerson,
} from './payload.js'
