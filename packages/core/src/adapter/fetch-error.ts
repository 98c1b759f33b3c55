import { BookingWebhooksError } from '../event/errors.js'

/** What is to happen after a fetch failed. */
export interface FetchFailure {
  /** `backoff`, `never`, or milliseconds until the next try. */
  retry: 'backoff' | 'never' | number
  /** False where the failure says nothing about this reading: the account is paused or slowed (401, 429). */
  counts: boolean
  /** Pauses all fetches of the account, in milliseconds. */
  pauseAccountMs?: number
  /** Raises an alert with this subject suffix, once (`credentials`). */
  alert?: string
  /** How many counted tries before giving up; absent: the back-off's own limit. */
  attempts?: number
  /** Once given up: a dead letter, or go on and interpret without a snapshot. */
  givenUp: 'dead' | 'without'
}

/** An error of `Adapter.fetch` that says how to go on. Its message must not hold what the API answered. */
export class FetchError extends BookingWebhooksError {
  readonly failure: FetchFailure

  constructor(message: string, failure: FetchFailure, options?: ErrorOptions) {
    super('FETCH_FAILED', message, options)
    this.failure = failure
  }
}

/** The failure that an error carries; anything else is retried with back-off and ends as a dead letter. */
export function fetchFailure(error: unknown): FetchFailure {
  if (error instanceof Error && 'failure' in error) return (error as FetchError).failure
  return { retry: 'backoff', counts: true, givenUp: 'dead' }
}
