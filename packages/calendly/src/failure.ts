import { FetchError, type FetchFailure, retryAfterMs } from '@booking-webhooks/core'

/** Who waits for the answer, and how often it was asked for, this time included. */
export interface Asker {
  /** A delivery waits, and all that comes after it in its lane; for a look nobody does. */
  waits: 'delivery' | 'look'
  attempt: number
}

/**
 * With gaps that double from 5 s and full jitter 8 tries last about five minutes; then a booking that waits for its answer is told
 * without it. 48 last a day and a half, up to 2 h apart.
 */
const tries: Record<Asker['waits'], number> = { delivery: 8, look: 48 }

/** A look with a refused token is taken again after this, for a day, until someone mends it. */
const credentialsMs = 30 * 60_000

/** Calendly counts requests by the minute. */
const limitedMs = 60_000

const never: FetchFailure = { retry: 'never', counts: true, givenUp: 'without' }

/**
 * What a status other than 200 means, by its number alone: titles and messages are not reliable. A delivery tries again after 429
 * and 5xx only; what a look would find may be lost with it, so a token that is mended within a day is not too late for it.
 * https://developer.calendly.com/api-docs
 */
export function statusFailure({ status, headers }: Response, now: Date, asker: Asker): FetchError {
  switch (status) {
    case 401:
      return new FetchError('Calendly refuses the token (401). Is CALENDLY_API_TOKEN still valid?', {
        ...(asker.waits === 'delivery' ? never : { ...never, retry: credentialsMs, attempts: tries.look }),
        alert: 'credentials',
      })
    case 403:
      return new FetchError(
        "The token may not read this (403). Give it the scope scheduled_events:read, and check the plan of the organization's owner.",
        { ...never, alert: 'permission' },
      )
    case 404:
      return new FetchError('Calendly does not know this any more (404).', never)
    case 429: {
      const afterMs = waitMs(headers, now)
      return new FetchError(`Calendly asks to wait for ${Math.round(afterMs / 1000)} s (429).`, {
        retry: afterMs,
        counts: false,
        pauseAccountMs: afterMs,
        givenUp: 'without',
      })
    }
    default: {
      const isPassing = status < 400 || status >= 500 || (status === 408 && asker.waits === 'look')
      return isPassing
        ? passingFailure(`Calendly answered ${status} where 200 was expected.`, asker)
        : new FetchError(`Calendly refuses the request (${status}).`, never)
    }
  }
}

/** What is likely to mend itself: outages, time-outs, redirects, pages instead of JSON. A look that failed for minutes is alerted. */
export function passingFailure(message: string, { waits, attempt }: Asker): FetchError {
  return new FetchError(message, {
    retry: 'backoff',
    counts: true,
    attempts: tries[waits],
    ...(waits === 'look' && attempt >= tries.delivery && { alert: 'look' }),
    givenUp: 'without',
  })
}

/** What Calendly does not know yet, and may never. */
export function notYet(message: string): FetchError {
  return new FetchError(message, {
    retry: 'backoff',
    counts: true,
    attempts: tries.delivery,
    givenUp: 'without',
  })
}

/** `Retry-After` is not documented but honoured, `X-RateLimit-Reset` is the seconds left. https://developer.calendly.com/overview/rate-limits */
function waitMs(headers: Headers, now: Date): number {
  const resetMs = retryAfterMs(headers.get('x-ratelimit-reset'), now)
  return Math.max(1_000, retryAfterMs(headers.get('retry-after'), now) ?? resetMs ?? limitedMs)
}
