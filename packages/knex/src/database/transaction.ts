import type { Knex } from 'knex'
import type { Database } from './database.js'

/** Runs `work` in one transaction that may write, in READ COMMITTED where there is a choice. */
export function transaction<Result>(
  { knex, dialect, tables }: Database,
  work: (trx: Knex.Transaction) => Promise<Result>,
  connection?: unknown,
): Promise<Result> {
  return knex.transaction(
    async trx => {
      await dialect.begin(trx, tables)
      return work(trx)
    },
    connection === undefined ? dialect.transactionConfig : { ...dialect.transactionConfig, connection },
  )
}
