import { FetchError } from '@booking-webhooks/core'

/**
 * Who waits for the answer: a delivery, and all that come after it in its lane (so few tries, then it goes on with what the
 * body tells and a second look is taken), or a second look, for which nobody waits.
 */
export type Waits = 'delivery' | 'look'

/** With gaps that double from 5 s and full jitter, 4 tries last about 20 s; 48 last a day and a half. */
const tries: Record<Waits, number> = { delivery: 4, look: 48 }

/** A refused credential is asked about again after this, for a day, until someone mends it. */
const credentialsMs = 30 * 60_000

/** A delivery, and what comes after it, is held no longer than this by the API's limit, in milliseconds: that may last for hours. */
export const heldMs = 10_000

/** The limit is counted by the minute. */
const limitMs = 60_000

/** What a status other than 200 and 404 means. https://cal.com/docs/api-reference/v2/introduction */
export function statusFailure(status: number, waitMs: number | null, waits: Waits): FetchError {
  if (status === 401 || status === 403)
    return new FetchError(
      `Cal.com refuses the credentials (${status}). Are calcom({ apiKey }) or getToken up to date, and may they see this booking?`,
      {
        retry: waits === 'look' ? credentialsMs : 'never',
        counts: true,
        attempts: tries[waits],
        alert: 'credentials',
        givenUp: 'without',
      },
    )
  if (status === 429) {
    const pauseAccountMs = waitMs ?? limitMs
    return new FetchError('Cal.com asks to slow down (429).', {
      retry: waits === 'delivery' && pauseAccountMs > heldMs ? 'never' : pauseAccountMs,
      counts: true,
      attempts: tries[waits],
      pauseAccountMs,
      givenUp: 'without',
    })
  }
  if (status >= 400 && status < 500 && status !== 408)
    return new FetchError(`Cal.com finds the request itself wrong (${status}).`, {
      retry: 'never',
      counts: true,
      givenUp: 'without',
    })
  return passingFailure(`Cal.com answered ${status} where 200 was expected.`, waits)
}

/** What is likely to mend itself: outages, time-outs, redirects, pages instead of JSON. */
export function passingFailure(message: string, waits: Waits): FetchError {
  return new FetchError(message, {
    retry: 'backoff',
    counts: true,
    attempts: tries[waits],
    givenUp: 'without',
  })
}
