import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import knex, { type Knex } from 'knex'

/** A database that is there for one test run: its URL, and how to get rid of it. */
export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** The servers that a run may be given. One that is named and does not answer fails the run. */
export const servers = [
  { name: 'PostgreSQL', variable: 'TEST_POSTGRES_URL' },
  { name: 'MySQL or MariaDB', variable: 'TEST_MYSQL_URL' },
] as const

/** What runs here: SQLite always, servers where their variable is set. The others are named in the output. */
export function eachDatabase(body: (name: string, make: () => Promise<TestDatabase>) => void): void {
  body('SQLite', sqliteDatabase)
  for (const { name, variable } of servers) {
    const url = process.env[variable]
    if (url) body(name, () => serverDatabase(url))
    else it.skip(`${name} is not covered: ${variable} is not set`)
  }
}

export async function sqliteDatabase(): Promise<TestDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-'))
  return { url: join(directory, 'ledger.db'), drop: async () => rmSync(directory, { recursive: true }) }
}

/** A database of its own on a server, whose zone is nine hours from UTC. */
export async function serverDatabase(url: string): Promise<TestDatabase> {
  const name = `bw_store_${randomBytes(6).toString('hex')}`
  const admin = backDoor(url)
  await admin.raw(`CREATE DATABASE ${name}`)
  if (url.startsWith('postgres')) {
    await admin.raw(`ALTER DATABASE ${name} SET timezone = 'Asia/Tokyo'`)
    // Without waiting for the disk: what is proven here is not that.
    await admin.raw(`ALTER DATABASE ${name} SET synchronous_commit = off`)
  }
  const own = new URL(url)
  own.pathname = `/${name}`
  return {
    url: own.href,
    async drop() {
      await admin.raw(`DROP DATABASE ${name}`)
      await admin.destroy()
    },
  }
}

/** Knex past the store. */
export function backDoor(url: string, more: Knex.Config = {}): Knex {
  if (url.startsWith('postgres')) return knex({ client: 'pg', connection: url, ...more })
  if (url.startsWith('mysql')) return knex({ client: 'mysql2', connection: url, ...more })
  return knex({ client: 'better-sqlite3', connection: { filename: url }, useNullAsDefault: true, ...more })
}
