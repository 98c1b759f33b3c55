import { createRequire } from 'node:module'
import { invalidOption } from '@booking-webhooks/core'
import knexModule, { type Knex } from 'knex'
import { configureSqlite } from '../dialects/sqlite.js'
import { configurationOf } from './database-url.js'

/** A Knex instance, and whether the store made it and so closes it. */
export interface Connected {
  knex: Knex
  isOwn: boolean
}

/** Takes a Knex instance as it is; makes one from a configuration or a URL. No driver is loaded before this. */
export function connect(database: Knex | Knex.Config | string | undefined): Connected {
  if (database === undefined || database === '')
    throw invalidOption('knexStore(database) is required. Is DATABASE_URL set?')
  if (typeof database === 'function') return { knex: database, isOwn: false }
  const config = typeof database === 'string' ? configurationOf(database) : database
  if (typeof config.client === 'string') requireDriver(config.client)
  return { knex: knexModule.knex(configured(config)), isOwn: true }
}

function configured(config: Knex.Config): Knex.Config {
  const common = {
    // Knex's minute is longer than a provider waits.
    acquireConnectionTimeout: 5_000,
    // What goes wrong comes out as an error; Knex would also print it, in lines that are no JSON.
    log: silent,
    ...config,
    // Else the message of an error quotes what was bound: guests' data.
    compileSqlOnError: false,
  }
  return config.client === 'better-sqlite3' ? configureSqlite(common) : common
}

const silent = { warn() {}, error() {}, deprecate() {}, debug() {} }

const drivers: Record<string, string> = {
  'better-sqlite3': 'better-sqlite3',
  pg: 'pg',
  postgres: 'pg',
  postgresql: 'pg',
  mysql2: 'mysql2',
}

/** Drivers are optional peers: said here in one sentence, where Knex would log and throw two others. */
function requireDriver(client: string): void {
  const driver = drivers[client]
  if (driver === undefined)
    throw invalidOption(
      `knexStore() knows the Knex clients ${Object.keys(drivers).join(', ')}, not ${client}.`,
    )
  // As Knex itself will look for it.
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('knex'))
  try {
    resolve(driver)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw invalidOption(`This database needs the package ${driver}. Run npm install ${driver}.`)
  }
}
