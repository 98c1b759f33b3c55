import { FetchError, type FetchFailure } from '@booking-webhooks/core'

/** What is not there yet may come: gaps in milliseconds, then it is given up. Never read as a cancel. */
const missingGapsMs = [5_000, 30_000, 120_000, 600_000, 3_600_000]

/** With gaps that double from 5 s to 2 h and full jitter, 48 tries last 36 h on average, and below 24 h about never. */
const patience = 48

/** A credential that is refused is asked about once a minute, until someone mends it. */
const credentialsPauseMs = 60_000

/**
 * What a status other than 200 means, decided by its number and never by its text.
 * https://developers.acuityscheduling.com/reference/api-errors
 */
export function statusFailure(status: number, attempt: number): FetchError {
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
      return new FetchError('Acuity does not show this appointment to these credentials (403).', {
        ...missing(attempt),
        alert: 'forbidden',
      })
    case 404:
      return new FetchError('Acuity knows no appointment of this id (404).', missing(attempt))
    default:
      return passingFailure(`Acuity answered ${status} where 200 was expected.`)
  }
}

/** What is likely to mend itself within a day: outages, time-outs, redirects, pages instead of JSON. */
export function passingFailure(message: string): FetchError {
  return new FetchError(message, { retry: 'backoff', counts: true, attempts: patience, givenUp: 'dead' })
}

function missing(attempt: number): FetchFailure {
  return {
    retry: missingGapsMs[attempt - 1] ?? 'backoff',
    counts: true,
    attempts: missingGapsMs.length + 1,
    givenUp: 'dead',
  }
}
