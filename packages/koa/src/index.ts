export { bookingWebhooks, type KoaWebhooks } from './booking-webhooks.js'
export type { KoaContext } from './koa-context.js'
