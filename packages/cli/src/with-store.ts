import { BookingWebhooksError, isBookingWebhooksError, type Store } from '@booking-webhooks/core'
import { knexStore, schemaOf } from '@booking-webhooks/knex'
import { databaseFrom } from './environment/index.js'
import { existingDatabase } from './existing-database.js'
import { schemaInWords } from './schema-in-words.js'

/** Opens the database for one command and closes it afterwards. Does not migrate: rejects with SCHEMA_OUTDATED. */
export async function withStore<Result>(
  database: string | undefined,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const url = existingDatabase(database ?? databaseFrom(process.env))
  const store = knexStore(url, { migrate: false })
  try {
    await store.open().catch(async error => {
      if (!isBookingWebhooksError(error, 'SCHEMA_OUTDATED')) throw error
      // The store's own words are for who calls knexStore().
      throw new BookingWebhooksError('SCHEMA_OUTDATED', schemaInWords(await schemaOf(url)), { cause: error })
    })
    return await work(store)
  } finally {
    await store.close()
  }
}
