import { calendly } from '@booking-webhooks/calendly'
import { createInbox, type Inbox, type Log, type Subscriber } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { signingKey } from './signing-key.js'

export interface BenchInbox {
  /** Default: one that does nothing. */
  subscribers?: Record<string, Subscriber>
  dispatch?: boolean
}

/** An inbox for Calendly that logs only what failed. */
export function inboxOn(
  database: string,
  { subscribers = { nobody }, dispatch = true }: BenchInbox = {},
): Inbox {
  return createInbox({
    providers: [calendly({ signingKey })],
    store: knexStore(database),
    log: quiet,
    subscribers,
    dispatch,
  })
}

const nobody: Subscriber = { takes: ['*'], tell() {} }

const quiet: Log = { debug() {}, info() {}, warn() {}, error: console.error }
