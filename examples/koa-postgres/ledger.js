import { calendly } from '@booking-webhooks/calendly'
import { knexStore } from '@booking-webhooks/knex'

/** What the receiver and the worker share: whose webhooks these are, and the database between the two. */
export const providers = [calendly({ signingKey: process.env.CALENDLY_SIGNING_KEY })]
export const store = knexStore(process.env.DATABASE_URL)
