import { invalidOption } from '@booking-webhooks/core'
import { type Environment, readVariable } from './read-variable.js'

const defaultDatabase = './booking-webhooks.db'

/**
 * `DATABASE_URL`, else a SQLite file in the working directory. In production that is INVALID_OPTION: the file would be gone with
 * the next deployment, and with it what makes a repeat a repeat.
 */
export function databaseFrom(environment: Environment): string {
  const url = readVariable(environment, 'DATABASE_URL')
  if (url === undefined && environment.NODE_ENV === 'production')
    throw invalidOption(
      `DATABASE_URL is not set, and NODE_ENV is production. Set it to postgres://…, mysql://…, or sqlite:PATH on a disk that stays.`,
    )
  return url ?? defaultDatabase
}
