import { setTimeout as delay } from 'node:timers/promises'
import type { Adapter } from '../adapter/adapter.js'
import { describeError } from '../event/describe-error.js'
import { BookingWebhooksError, invalidOption } from '../event/errors.js'
import { createInbox } from '../inbox/create-inbox.js'
import type { Inbox } from '../inbox/inbox.js'
import type { InboxOptions } from '../inbox/inbox-options.js'

/** An inbox behind HTTP, on its way to be started or started. */
export interface Mounted extends Webhooks {
  /** Resolves once the inbox works; rejects with STORE_UNAVAILABLE where that fails or takes longer than half a second. */
  started(): Promise<void>
}

/** What every framework's middleware has beside its own call. */
export interface Webhooks {
  readonly inbox: Inbox
  /** Finishes what runs and stops. */
  close(): Promise<void>
}

/** Every answer is due within a second, and the body and the store want their part of it. */
const patienceMs = 500

/** Takes an inbox, or makes one of its options, and starts it at once, without waiting for a request. */
export function mounted<const Adapters extends readonly Adapter[], Transaction>(
  given: InboxOptions<Adapters, Transaction> | Inbox,
): Mounted {
  if (!given) throw invalidOption('bookingWebhooks() needs { providers, store }, or an inbox.')
  const inbox = 'receive' in given ? given : createInbox(given)
  let isStarted = false
  const start = (): Promise<string | null> =>
    inbox.start().then(() => {
      isStarted = true
      return null
    }, describeError)

  start().then(reason => {
    if (reason !== null) inbox.log.error('not started', { reason })
  })
  return {
    inbox,
    close: () => inbox.close(),
    async started() {
      if (isStarted) return
      const late = delay(patienceMs, 'It is not ready yet.', { ref: false })
      const reason = await Promise.race([start(), late])
      if (reason !== null)
        throw new BookingWebhooksError('STORE_UNAVAILABLE', `The inbox is not started. ${reason}`)
    },
  }
}
