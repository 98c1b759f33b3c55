import { debuglog } from 'node:util'
import { BookingWebhooksError } from '@booking-webhooks/core'
import type { Dialect, Failure } from '../dialects/dialect.js'

/** The driver's own words, for whoever asks for them with NODE_DEBUG=booking-webhooks. They may quote guests' data. */
const debug = debuglog('booking-webhooks')

/** What an error means; null for one that comes neither from the driver, nor from Knex's pool, nor from the network. */
export function failureOf(dialect: Dialect, error: unknown): Failure | null {
  if (!(error instanceof Error)) return null
  // The pool has no free connection.
  if (error.name === 'KnexTimeoutError') return 'transient'
  const { code } = error as NodeJS.ErrnoException
  if ((code !== undefined && networkCodes.has(code)) || isClosed(error)) return 'unavailable'
  return dialect.failureOf(error)
}

/** What Knex says once its pool is gone. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && error.message === 'Unable to acquire a connection'
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])

/**
 * A driver's error as one of the library's. The driver's message, SQL and details are left out: they quote what was bound,
 * and that is guests' data; its code and the names of table and constraint stay. Any other error is returned as it is.
 */
export function storeError(dialect: Dialect, error: unknown): unknown {
  const failure = failureOf(dialect, error)
  if (failure === null) return error
  debug('%s', error)
  if (isClosed(error))
    return new BookingWebhooksError(
      'STORE_UNAVAILABLE',
      `The connections to the ${dialect.name} database are closed. Ask before close(), or before your Knex is destroyed.`,
    )
  const what = described(error)
  if (failure === 'transient') return storeBusy(dialect, what)
  if (failure === 'unavailable')
    return new BookingWebhooksError(
      'STORE_UNAVAILABLE',
      `The ${dialect.name} database does not answer${what}. Is it running, and is DATABASE_URL right?`,
    )
  return new BookingWebhooksError(
    'STORE_REFUSED',
    `The ${dialect.name} database refused a statement${what}, and nothing was stored. NODE_DEBUG=booking-webhooks shows its own words, which may quote guests' data.`,
  )
}

/** Too many wanted the same rows, or the file, for too long. */
export function storeBusy(dialect: Dialect, what = ''): BookingWebhooksError {
  return new BookingWebhooksError(
    'STORE_BUSY',
    `The ${dialect.name} database was busy for too long${what}, and nothing was stored. Try again.`,
  )
}

function described(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code, errno, table, constraint } = error as unknown as Record<string, unknown>
  const parts = [code ?? errno ?? error.name, table, constraint].filter(
    part => typeof part === 'string' || typeof part === 'number',
  )
  return ` (${parts.join(', ')})`
}
