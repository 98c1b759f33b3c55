import { invalidOption } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Dialect } from './dialect.js'
import { mysql } from './mysql.js'
import { postgres } from './postgres.js'
import { sqlite } from './sqlite.js'

/** What is different about the database that a Knex instance speaks to; throws INVALID_OPTION for one that the store does not know. */
export function dialectOf(knex: Knex): Dialect {
  const { dialect, driverName } = knex.client as { dialect?: string; driverName?: string }
  if (driverName === 'better-sqlite3') return sqlite
  if (dialect === 'postgresql') return postgres
  if (driverName === 'mysql2') return mysql
  throw invalidOption(
    `knexStore() works with the Knex clients better-sqlite3, pg and mysql2, not ${driverName ?? dialect ?? 'this one'}.`,
  )
}
