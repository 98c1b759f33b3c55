export { type CalendlyDeliveryOptions, calendlyDelivery, calendlySignature } from './delivery.js'
export { type SampleInvitee, samplePayload } from './payload.js'
export { calendlyStories } from './stories.js'
