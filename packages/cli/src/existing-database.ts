import { existsSync } from 'node:fs'
import { BookingWebhooksError } from '@booking-webhooks/core'

/** Refuses a SQLite file that is not there: who only looks must not make one, in a directory that was not meant. */
export function existingDatabase(url: string): string {
  const path = url.replace(/^sqlite:(\/\/(?=\/))?/i, '')
  const isServer = /^[a-z][a-z0-9+.-]+:/i.test(path)
  if (!isServer && path !== ':memory:' && path !== '' && !existsSync(path))
    throw new BookingWebhooksError(
      'STORE_UNAVAILABLE',
      `There is no database ${path}. Is DATABASE_URL (or --database) right? booking-webhooks migrate makes one.`,
    )
  return url
}
