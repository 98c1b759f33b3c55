import { type FetchContext, FetchError, type FetchFailure } from '@booking-webhooks/core'

/** What is not there yet may come: gaps in milliseconds, then it is given up. Never read as a cancel. */
const missingGapsMs = [5_000, 30_000, 120_000, 600_000, 3_600_000]

/** With gaps that double from 5 s to 2 h and full jitter, 48 tries last 36 h on average, and below 24 h about never. */
export const patience = 48

/** A credential that is refused is asked about once a minute, until someone mends it. */
const credentialsPauseMs = 60_000

/** Which try it is, and how the one before failed. */
export type Tries = Pick<FetchContext, 'attempt' | 'failed'>

/**
 * What a status other than 200 means, decided by its number and never by its text.
 * https://developers.acuityscheduling.com/reference/api-errors
 */
export function statusFailure(status: number, tries: Tries): FetchError {
  switch (status) {
    case 400:
      return new FetchError('Acuity finds the request itself wrong (400).', {
        retry: 'never',
        counts: true,
        givenUp: 'dead',
      })
    case 401:
      return new FetchError(
        'Acuity refuses the credentials (401). Is acuity({ userId }) the user whose key is the first of apiKey, or getToken up to date?',
        {
          retry: credentialsPauseMs,
          counts: false,
          pauseAccountMs: credentialsPauseMs,
          alert: 'credentials',
          givenUp: 'dead',
        },
      )
    case 403:
      return missing('Acuity does not show this appointment to these credentials (403).', tries, {
        alert: 'forbidden',
      })
    case 404:
      return missing('Acuity knows no appointment of this id (404).', tries)
    default:
      return passingFailure(`Acuity answered ${status} where 200 was expected.`)
  }
}

/** What is likely to mend itself within a day: outages, time-outs, redirects, pages instead of JSON. */
export function passingFailure(message: string): FetchError {
  return new FetchError(message, { retry: 'backoff', counts: true, attempts: patience, givenUp: 'dead' })
}

/** How many tries in a row have failed with this message, this one included: an outage before them says nothing. */
export function timesAlike(message: string, { failed }: Tries): number {
  return failed?.reason === message ? failed.times + 1 : 1
}

function missing(message: string, tries: Tries, more: Pick<FetchFailure, 'alert'> = {}): FetchError {
  const times = timesAlike(message, tries)
  return new FetchError(message, {
    retry: missingGapsMs[times - 1] ?? 'backoff',
    counts: true,
    // Where kinds of failures take turns, all of them together are limited.
    attempts: Math.min(patience, tries.attempt - times + missingGapsMs.length + 1),
    givenUp: 'dead',
    ...more,
  })
}
