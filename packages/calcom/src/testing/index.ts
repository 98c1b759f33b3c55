export { type CalcomDeliveryOptions, calcomDelivery, calcomSignature } from './delivery.js'
export type { SampleBooking } from './payload.js'
export { calcomStories } from './stories.js'
