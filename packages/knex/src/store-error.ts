import { debuglog } from 'node:util'
import { BookingWebhooksError, isBookingWebhooksError } from '@booking-webhooks/core'
import type { Dialect } from './dialect.js'
import { RunAgain } from './retrying.js'

/** The driver's own words, for whoever asks for them with NODE_DEBUG=booking-webhooks. They may quote guests' data. */
const debug = debuglog('booking-webhooks')

/**
 * A driver's error as one of the library's. The driver's message, SQL and details are left out: they quote what was bound,
 * and that is guests' data; its code and the names of table and constraint stay.
 */
export function storeError(dialect: Dialect, error: unknown): BookingWebhooksError {
  if (isBookingWebhooksError(error)) return error
  debug('%s', error)
  const what = described(error)
  if (error instanceof RunAgain || dialect.failureOf(error) === 'transient')
    return new BookingWebhooksError(
      'STORE_BUSY',
      `The ${dialect.name} database kept others waiting for a lock too long${what}. Nothing was stored; try again.`,
    )
  if (dialect.failureOf(error) === 'unavailable')
    return new BookingWebhooksError(
      'STORE_UNAVAILABLE',
      `The ${dialect.name} database does not answer${what}. Is it running, and is DATABASE_URL right?`,
    )
  return new BookingWebhooksError(
    'STORE_UNAVAILABLE',
    `The ${dialect.name} database refused a statement${what}. Nothing was stored. NODE_DEBUG=booking-webhooks shows the database's own words, which may quote guests' data.`,
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
