export type { Webhooks } from '../http/mounted.js'
export { bookingWebhooks, type FetchWebhooks, type MountOptions } from './booking-webhooks.js'
