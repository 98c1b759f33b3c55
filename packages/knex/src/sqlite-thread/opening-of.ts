import type { Knex } from 'knex'

/** How a connection to a file of SQLite is made. */
export interface Opening {
  /** The entry of the driver's package, where Knex finds it. */
  driver: string
  filename: string
  nativeBinding?: string
}

/**
 * How another connection to the file of a configuration is made, with a driver whose entry this is. Null where another one would not be the same: on
 * another driver, on a database in memory, and where the configuration does something to each connection (a key, say).
 */
export function openingOf({ client, connection, pool }: Knex.Config, driver: string): Opening | null {
  if (client !== 'better-sqlite3' || pool?.afterCreate || typeof connection !== 'object') return null
  const { filename, options = {} } = connection as Knex.BetterSqlite3ConnectionConfig
  if (!filename || filename === ':memory:' || options.readonly) return null
  return { driver, filename, nativeBinding: options.nativeBinding }
}
