import type { Store } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { databaseFrom } from './environment/index.js'
import { existingDatabase } from './existing-database.js'

/** Opens the database for one command and closes it afterwards. Does not migrate: rejects with SCHEMA_OUTDATED. */
export async function withStore<Result>(
  database: string | undefined,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = knexStore(existingDatabase(database ?? databaseFrom(process.env)), { migrate: false })
  try {
    await store.open()
    return await work(store)
  } finally {
    await store.close()
  }
}
