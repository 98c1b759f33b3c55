import { TellError, type TellFailure } from '@booking-webhooks/core'
import { retryAfterMs } from './retry-after.js'

/** Returns for a 2xx and throws FORWARD_REFUSED for everything else, saying when to try again, or never (410). */
export function judge(response: Response, target: URL): void {
  if (response.ok) return
  const { status } = response
  const refused = (advice: string, tell: TellFailure) =>
    new TellError('FORWARD_REFUSED', `${target.host} answered ${status}${advice}`, tell)

  if (status === 410)
    throw refused(' (gone). Remove the target, or bring it back and replay.', { retry: 'never' })
  if (status >= 300 && status < 400)
    throw refused(' (a redirect, which is never followed). Set forward({ url }) to the final address.', {
      retry: 'backoff',
    })
  const afterMs = retryAfterMs(response.headers.get('retry-after'), Date.now())
  throw refused('.', { retry: afterMs ?? 'backoff' })
}
