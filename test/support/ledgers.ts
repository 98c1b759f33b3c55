import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import createKnex, { type Knex } from 'knex'

/** An empty database of a test's own, with a Knex of the test's own to look behind the store's back. */
export interface Ledger {
  /** As `knexStore` takes it, also in another process. */
  database: string
  knex: Knex
  close(): Promise<void>
}

/** A way to make one on each kind of database that is there. */
export type OpenLedger = (() => Promise<Ledger>) & { readonly name: string }

/** The databases to test on. */
export function ledgers(): OpenLedger[] {
  return [named('SQLite', sqlite)]
}

async function sqlite(): Promise<Ledger> {
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

function named(name: string, open: () => Promise<Ledger>): OpenLedger {
  return Object.defineProperty(open, 'name', { value: name })
}
