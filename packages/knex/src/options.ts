import type { Micros } from '@booking-webhooks/core'

export const defaultPrefix = 'booking_webhooks_'

export interface KnexStoreOptions {
  /** Begins the name of every table. Default `booking_webhooks_`. */
  prefix?: string
  /** False: `open()` only checks the schema and rejects with SCHEMA_OUTDATED where it is not up to date. Default true. */
  migrate?: boolean
  /** Replaces the database's clock, in microseconds since 1970. For tests. */
  now?: () => Micros
}
