import { invalidOption } from '@booking-webhooks/core'
import type { Knex } from 'knex'

/** A Knex configuration from `postgres://…`, `mysql://…`, `sqlite:PATH` or the path of a SQLite file. */
export function configurationOf(url: string): Knex.Config {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase()
  switch (scheme) {
    case 'postgres':
    case 'postgresql':
      return { client: 'pg', connection: url }
    case 'mysql':
    case 'mariadb':
      return { client: 'mysql2', connection: url.replace(/^mariadb:/i, 'mysql:') }
    case 'sqlite':
      return sqliteFile(url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''))
    case undefined:
      return sqliteFile(url)
    default:
      throw invalidOption(
        `The database URL begins with ${scheme}:. Use postgres://…, mysql://…, sqlite:PATH or the path of a SQLite file.`,
      )
  }
}

function sqliteFile(path: string): Knex.Config {
  if (path === '') throw invalidOption('The database URL sqlite: names no file. Write sqlite:PATH.')
  return { client: 'better-sqlite3', connection: { filename: path } }
}
