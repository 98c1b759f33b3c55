export { bookingWebhooks } from './booking-webhooks.js'
export type { ExpressRequest } from './express-request.js'
