import type { Reply } from '../adapter/adapter.js'
import type { ErrorCode } from '../event/errors.js'

/** A reply without a body. The sender is never told why. */
export function reply(status: number, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: '' }
}

/** How long a provider is asked to wait when the store is down, or the keys cannot be had, in seconds. */
const retryAfterSeconds = 5

/** What the provider is answered for an error of ours; 500 for what is not in the table of answers. */
export function replyTo(code: ErrorCode | null): Reply {
  if (code?.startsWith('SIGNATURE_') || code === 'UNKNOWN_ACCOUNT') return reply(401)
  if (
    code === 'KEYS_UNAVAILABLE' ||
    code === 'STORE_UNAVAILABLE' ||
    code === 'STORE_BUSY' ||
    code === 'STORE_REFUSED' ||
    code === 'INBOX_CLOSED'
  )
    return reply(503, { 'retry-after': String(retryAfterSeconds) })
  if (code === 'BODY_TOO_LARGE') return reply(413)
  if (code === 'ENCODING_UNSUPPORTED') return reply(415)
  if (code === 'BODY_CUT_OFF') return reply(408, { connection: 'close' })
  return reply(500)
}
