import { invalidOption } from '@booking-webhooks/core'
import type { Knex } from 'knex'

/** A Knex configuration from `postgres://…`, `mysql://…`, `sqlite:PATH` or the path of a SQLite file. Throws INVALID_OPTION, without quoting the URL. */
export function configurationOf(url: string): Knex.Config {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase()
  switch (scheme) {
    case 'postgres':
    case 'postgresql':
      return { client: 'pg', connection: readable(url) }
    case 'mysql':
    case 'mariadb':
      return { client: 'mysql2', connection: readable(url.replace(/^mariadb:/i, 'mysql:')) }
    case 'sqlite':
      return sqliteFile(pathOf(url))
    case undefined:
      return sqliteFile(url)
    default:
      throw invalidOption(
        `The database URL begins with ${scheme}:. Use postgres://…, mysql://…, sqlite:PATH or the path of a SQLite file.`,
      )
  }
}

/**
 * The URL, if a driver will read it as it is meant. What Knex cannot read it leaves out in silence, and the driver connects to its default: a database
 * on this machine. A password's `#`, `/` or `?` can end the host early, so that the rest of the password is the path.
 */
function readable(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isCutShort =
    parsed?.username === '' && (parsed.pathname.includes('@') || /^\?[^=]*@/.test(parsed.search))
  if (
    !parsed ||
    isCutShort ||
    parsed.hash !== '' ||
    !/^(?:\/|$)/.test(parsed.pathname) ||
    !isDecodable(parsed)
  )
    throw invalidOption(
      'The database URL cannot be read. Percent-encode what is special in its user, password and database (# is %23, / is %2F, ? is %3F, @ is %40, % is %25), and check its host: postgres://user:password@host/database.',
    )
  return url
}

function isDecodable({ protocol, username, password, pathname }: URL): boolean {
  const text = username + password + pathname
  // pg takes a % that begins no escape for itself.
  if (protocol.startsWith('postgres') && /%(?![0-9a-f]{2})/i.test(text)) return true
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** `sqlite:PATH`, and `sqlite:///PATH` for an absolute one. */
function pathOf(url: string): string {
  const path = url.slice('sqlite:'.length)
  if (/^\/\/(?!\/)/.test(path))
    throw invalidOption(
      'The database URL begins with sqlite:// and names a host. Write sqlite:PATH, for example sqlite:data/bookings.db.',
    )
  return path.replace(/^\/\/(?=\/)/, '')
}

function sqliteFile(path: string): Knex.Config {
  if (path === '') throw invalidOption('The database URL sqlite: names no file. Write sqlite:PATH.')
  return { client: 'better-sqlite3', connection: { filename: path } }
}
