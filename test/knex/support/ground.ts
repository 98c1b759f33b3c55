import type { Ground } from '@booking-webhooks/conformance'
import type { Store } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import type { Knex } from 'knex'
import { backDoor, type TestDatabase } from './databases.js'
import { probeOf } from './probe.js'

/** The contract's ground on a database: a process in one zone, sessions of the database in another. */
export async function groundOn(database: TestDatabase, configure = configured): Promise<Ground> {
  const { TZ } = process.env
  process.env.TZ = 'America/Caracas'
  const stores: Store[] = []
  const opened = async (migrate: boolean): Promise<Store> => {
    const store = knexStore(configure(database.url), { migrate })
    await store.open()
    stores.push(store)
    return store
  }
  const store = await opened(true)
  const back = backDoor(database.url)
  return {
    store,
    another: async () => stores[1] ?? opened(false),
    probe: probeOf(back),
    async stop() {
      for (const one of stores) await one.close()
      await back.destroy()
      await database.drop()
      if (TZ === undefined) delete process.env.TZ
      else process.env.TZ = TZ
    },
  }
}

/** A database with what a test wants of each connection: no waiting for the disk, and a zone of its own. PostgreSQL's are set on the database. */
export function configured(url: string): string | Knex.Config {
  if (url.startsWith('postgres')) return url
  if (url.startsWith('mysql'))
    return { client: 'mysql2', connection: url, pool: { afterCreate: setting("SET time_zone = '+09:00'") } }
  return {
    client: 'better-sqlite3',
    connection: { filename: url },
    pool: { afterCreate: setting('PRAGMA synchronous = OFF') },
  }
}

type Done = (error: unknown, connection: unknown) => void

/** Runs a statement on each new connection of mysql2 or better-sqlite3. */
function setting(sql: string) {
  return (connection: { exec?(sql: string): void; query?(sql: string, done: Done): void }, done: Done) => {
    if (connection.exec) {
      connection.exec(sql)
      done(null, connection)
    } else connection.query?.(sql, error => done(error, connection))
  }
}
