import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ground } from '@booking-webhooks/conformance'
import { knexStore } from '@booking-webhooks/knex'
import type { Database } from 'better-sqlite3'
import knex, { type Knex } from 'knex'
import { probeOf } from './probe.js'

/** A SQLite file of its own. */
export async function sqliteGround(): Promise<Ground> {
  const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-'))
  const file = join(directory, 'ledger.db')
  const store = knexStore(fast(file))
  await store.open()
  const stores = [store]
  const back = knex({ client: 'better-sqlite3', connection: { filename: file }, useNullAsDefault: true })
  return {
    store,
    async another() {
      const [, known] = stores
      if (known) return known
      const other = knexStore(fast(file), { migrate: false })
      await other.open()
      stores.push(other)
      return other
    },
    probe: probeOf(back),
    async stop() {
      for (const one of stores) await one.close()
      await back.destroy()
      rmSync(directory, { recursive: true })
    },
  }
}

/** Without waiting for the disk: what is proven here is not that. */
function fast(filename: string): Knex.Config {
  const afterCreate = (connection: Database, done: (error: unknown, connection: Database) => void) => {
    connection.pragma('synchronous = OFF')
    done(null, connection)
  }
  return { client: 'better-sqlite3', connection: { filename }, pool: { afterCreate } }
}
