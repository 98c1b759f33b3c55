import { invalidOption } from '@booking-webhooks/core'
import knexModule, { type Knex } from 'knex'
import { configureSqlite } from '../dialects/sqlite.js'
import { type Opening, openingOf } from '../sqlite-thread/opening-of.js'
import { configurationOf } from './database-url.js'
import { keepAlive } from './keep-alive.js'
import { requireDriver } from './require-driver.js'

/** A Knex instance, and whether the store made it and so closes it. */
export interface Connected {
  knex: Knex
  isOwn: boolean
  /** How another connection to the same SQLite file is made; null where the store makes none. */
  opening: Opening | null
}

/** Takes a Knex instance as it is; makes one from a configuration or a URL. No driver is loaded before this. */
export function connect(database: Knex | Knex.Config | string | undefined): Connected {
  if (database === undefined || database === '')
    throw invalidOption('knexStore(database) is required. Is DATABASE_URL set?')
  if (typeof database === 'function') return { knex: database, isOwn: false, opening: null }
  const config = typeof database === 'string' ? configurationOf(database) : database
  const driver = typeof config.client === 'string' ? requireDriver(config.client) : null
  const knex = knexModule.knex(configured(config))
  keepAlive(knex)
  return { knex, isOwn: true, opening: driver === null ? null : openingOf(config, driver) }
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
