import { FetchError, type FetchFailure, retryAfterMs } from '@booking-webhooks/core'

/** With gaps that double from 5 s and full jitter about five minutes. A booking that waits for its answer is told without it then. */
const patience = 8

/** Calendly counts requests by the minute. */
const limitedMs = 60_000

const never: FetchFailure = { retry: 'never', counts: true, givenUp: 'without' }

/**
 * What a status other than 200 means, by its number alone: titles and messages are not reliable.
 * https://developer.calendly.com/api-docs
 */
export function statusFailure({ status, headers }: Response, now: Date): FetchError {
  switch (status) {
    case 401:
      return passingFailure(
        'Calendly refuses the token (401). Is CALENDLY_API_TOKEN still valid?',
        'credentials',
      )
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
    default:
      return status >= 400 && status < 500 && status !== 408
        ? new FetchError(`Calendly refuses the request (${status}).`, never)
        : passingFailure(`Calendly answered ${status} where 200 was expected.`)
  }
}

/** What is likely to mend itself: outages, time-outs, redirects, pages instead of JSON. */
export function passingFailure(message: string, alert?: string): FetchError {
  return new FetchError(message, {
    retry: 'backoff',
    counts: true,
    attempts: patience,
    alert,
    givenUp: 'without',
  })
}

/** `Retry-After` is not documented but honoured, `X-RateLimit-Reset` is the seconds left. https://developer.calendly.com/overview/rate-limits */
function waitMs(headers: Headers, now: Date): number {
  const resetMs = retryAfterMs(headers.get('x-ratelimit-reset'), now)
  return Math.max(1_000, retryAfterMs(headers.get('retry-after'), now) ?? resetMs ?? limitedMs)
}
