import { BookingWebhooksError } from '../event/errors.js'

/**
 * What the work comes to. Its signal is aborted after `ms` milliseconds (TIMED_OUT, with this message) or when `outer` is; then this rejects
 * at once, while work that does not heed its signal goes on unheard.
 */
export async function withTimeLimit<Result>(
  ms: number,
  message: string,
  outer: AbortSignal | null,
  work: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> {
  const timedOut = new AbortController()
  const timer = setTimeout(() => timedOut.abort(new BookingWebhooksError('TIMED_OUT', message)), ms)
  const signal = outer ? AbortSignal.any([outer, timedOut.signal]) : timedOut.signal
  try {
    return await Promise.race([aborted(signal), (async () => work(signal))()])
  } finally {
    clearTimeout(timer)
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
