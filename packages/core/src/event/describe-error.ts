import { isBookingWebhooksError } from './errors.js'

/** What may be written down of an error. The library's own messages are clean; anyone else's may hold what was being handled. */
export function describeError(error: unknown): string {
  if (isBookingWebhooksError(error)) return error.message
  if (!(error instanceof Error)) return 'something that is no Error was thrown'
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code.slice(0, 40)})` : ''
  return `${error.name}${code}`
}
