export {
  type AcuityDeliveryOptions,
  type AcuitySampleDelivery,
  acuityDelivery,
  acuitySignature,
} from './delivery.js'
export {
  type FakeAcuity,
  type FakeAcuityOptions,
  type FakeAnswer,
  type FakeCall,
  startFakeAcuity,
} from './fake-acuity.js'
export type { FakeWebhook } from './fake-webhooks.js'
export { sampleAppointment } from './sample-appointment.js'
export { acuityStories } from './stories.js'
