import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import createKnex, { type Knex } from 'knex'
import ClientPgLite from 'knex-pglite'

/** An empty database of a test's own, with a Knex of the test's own to look behind the store's back. */
export interface Ledger<Database extends string | Knex = string | Knex> {
  /** As `knexStore` takes it; where it is text, in another process too. */
  database: Database
  knex: Knex
  close(): Promise<void>
}

/** A way to make one on each kind of database that is there. */
export interface Ground<Database extends string | Knex = string | Knex> {
  name: string
  open(): Promise<Ledger<Database>>
}

/** The databases to test on: SQLite and an embedded PostgreSQL, and the servers that the environment names. */
export function grounds(): Ground[] {
  return [...sharedGrounds(), { name: 'PGlite', open: pglite }]
}

/** Those that several processes can use at once. A server that is named but not there fails its tests. */
export function sharedGrounds(): Ground<string>[] {
  const { TEST_POSTGRES_URL: postgres, TEST_MYSQL_URL: mysql } = process.env
  return [
    { name: 'SQLite', open: sqlite },
    ...(postgres ? [{ name: 'PostgreSQL', open: () => server(postgres, 'pg') }] : []),
    ...(mysql ? [{ name: 'MySQL or MariaDB', open: () => server(mysql, 'mysql2') }] : []),
  ]
}

async function sqlite(): Promise<Ledger<string>> {
  const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-'))
  const database = join(directory, 'test.db')
  const knex = createKnex({
    client: 'better-sqlite3',
    connection: { filename: database },
    useNullAsDefault: true,
  })
  return {
    database,
    knex,
    async close() {
      await knex.destroy()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function pglite(): Promise<Ledger> {
  const knex = createKnex({ client: ClientPgLite, dialect: 'postgres', connection: {} })
  return { database: knex, knex, close: () => knex.destroy() }
}

async function server(url: string, client: 'pg' | 'mysql2'): Promise<Ledger<string>> {
  const name = `bw_test_${randomBytes(6).toString('hex')}`
  const admin = createKnex({ client, connection: url })
  await admin.raw(`CREATE DATABASE ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  const knex = createKnex({ client, connection: own.href })
  return {
    database: own.href,
    knex,
    async close() {
      await knex.destroy()
      await admin.raw(`DROP DATABASE ${name}${client === 'pg' ? ' WITH (FORCE)' : ''}`)
      await admin.destroy()
    },
  }
}
