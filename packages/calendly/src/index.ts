export { type CalendlyOptions, calendly } from './calendly.js'
export type { GetToken } from './credentials.js'
export type {
  CalendlyAnswer,
  CalendlyCancellation,
  CalendlyEnvelope,
  CalendlyLocation,
  CalendlyPayload,
  CalendlyPayment,
  CalendlyScheduledEvent,
  CalendlyTracking,
} from './payload.js'
export type { Tolerance } from './verify.js'
