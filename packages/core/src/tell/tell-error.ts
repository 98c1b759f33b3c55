import { BookingWebhooksError, type ErrorCode } from '../event/errors.js'

/** What is to happen after a run of a tell failed. */
export interface TellFailure {
  /** `backoff`, `never` (a dead letter at once), or the milliseconds before which no next attempt is made. */
  retry: 'backoff' | 'never' | number
}

/** An error of a callback that says how to go on. Any other error is retried with back-off. */
export class TellError extends BookingWebhooksError {
  readonly tell: TellFailure

  constructor(code: ErrorCode, message: string, tell: TellFailure, options?: ErrorOptions) {
    super(code, message, options)
    this.tell = tell
  }
}

/** Thrown by a callback: tell me again, but not before `afterMs` milliseconds (nor before the back-off). */
export function retryAfter(afterMs: number, message: string, options?: ErrorOptions): TellError {
  return new TellError('TELL_FAILED', message, { retry: afterMs }, options)
}

/** Thrown by a callback: no further attempt can succeed. The tell is a dead letter at once. */
export function doNotRetry(message: string, options?: ErrorOptions): TellError {
  return new TellError('TELL_FAILED', message, { retry: 'never' }, options)
}

/** A week, in milliseconds: whoever asks for more has made a mistake, and no clock holds Infinity. */
const longestWaitMs = 7 * 86_400_000

/** What an error says of the next attempt; structural, since `instanceof` does not cross packages. */
export function tellFailure(error: unknown): TellFailure {
  if (error instanceof Error && 'tell' in error) {
    const retry = (error.tell as Partial<TellFailure> | null)?.retry
    if (retry === 'never') return { retry }
    if (typeof retry === 'number' && retry >= 0) return { retry: Math.min(retry, longestWaitMs) }
  }
  return { retry: 'backoff' }
}
