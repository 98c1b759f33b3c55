export type { AccountOptions } from '../account-calls.js'
export type { Ensured, EnsureOptions } from './ensure.js'
export { type Subscriptions, subscriptions } from './subscriptions.js'
export type { AcuityWebhook, AcuityWebhookEvent } from './webhook.js'
