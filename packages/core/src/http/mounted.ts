import { setTimeout as delay } from 'node:timers/promises'
import type { Adapter } from '../adapter/adapter.js'
import { describeError } from '../event/describe-error.js'
import { BookingWebhooksError, isBookingWebhooksError } from '../event/errors.js'
import { createInbox, type Inbox } from '../inbox/inbox.js'
import type { InboxOptions } from '../inbox/inbox-options.js'
import { backoff } from '../tell/backoff.js'

/** An inbox behind HTTP, on its way to be started or started. */
export interface Mounted {
  inbox: Inbox
  /** Resolves once the inbox works; rejects with STORE_UNAVAILABLE where that takes longer than half a second. */
  started(): Promise<void>
  /** Ends the tries to start and closes the inbox. */
  close(): Promise<void>
}

/** What every framework's middleware has beside its own call. */
export interface Webhooks {
  readonly inbox: Inbox
  /** Finishes what runs and stops. */
  close(): Promise<void>
}

/** Every answer is due within a second, and the body and the store want their part of it. */
const patienceMs = 500

/** A database that restarts is back in seconds; one that is down for hours is asked every 10 s at most. */
const startBackoff = { baseMs: 500, capMs: 10_000 }

/** Takes an inbox, or makes one of its options, and starts it: at once, and again until it works. */
export function mounted<const Adapters extends readonly Adapter[]>(
  given: InboxOptions<Adapters> | Inbox,
): Mounted {
  const inbox = 'receive' in given ? given : createInbox(given)
  let isStarted = false
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  let running = start(0)

  async function start(failures: number): Promise<void> {
    try {
      await inbox.start()
      isStarted = true
    } catch (error) {
      if (isClosed) return
      const code = isBookingWebhooksError(error) ? error.code : null
      inbox.log.error('not started', { code, reason: describeError(error), attempt: failures + 1 })
      retry = setTimeout(
        () => {
          running = start(failures + 1)
        },
        backoff(failures + 1, startBackoff),
      ).unref()
    }
  }

  return {
    inbox,
    async started() {
      if (isStarted) return
      await Promise.race([running, delay(patienceMs, undefined, { ref: false })])
      if (!isStarted) throw new BookingWebhooksError('STORE_UNAVAILABLE', 'The inbox is not started yet.')
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      await inbox.close()
    },
  }
}
