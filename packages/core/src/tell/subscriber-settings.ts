import { invalidOption } from '../event/errors.js'
import { type BackoffOptions, backoffOf } from './backoff.js'
import type { SubscriberOptions } from './subscriber.js'

/** How a subscriber is run, every option decided. */
export interface SubscriberSettings {
  timeoutMs: number
  attempts: number
  backoff: BackoffOptions
}

/** Long enough for a slow calendar API, short enough that a hung one is noticed. */
const defaultTimeoutMs = 30_000
/** With the default back-off about a day. */
const defaultAttempts = 25

/** The settings of these options. Throws INVALID_OPTION; `of` begins its message, and is empty for the inbox's own. */
export function settingsOf(options: SubscriberOptions, of: string): SubscriberSettings {
  const { timeoutMs = defaultTimeoutMs, attempts = defaultAttempts } = options
  // A timer that is set for longer fires at once.
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31))
    throw invalidOption(
      `${of}timeoutMs must be a number of milliseconds, more than 0 and at most 2147483647.`,
    )
  if (!(attempts >= 1)) throw invalidOption(`${of}attempts must be at least 1.`)
  return { timeoutMs, attempts, backoff: backoffOf(options.backoff, `${of}backoff`) }
}
