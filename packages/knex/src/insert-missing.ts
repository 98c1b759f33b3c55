import type { Knex } from 'knex'
import type { Database } from './database.js'
import type { Row } from './dialect.js'

/**
 * Inserts the rows whose key is not there yet, and leaves the others as they are. `key` is the only unique key of the table that may clash.
 * Sorted rows lock in one order for everybody: that is the caller's part.
 */
export async function insertMissing(
  { dialect }: Pick<Database, 'dialect'>,
  trx: Knex.Transaction,
  table: string,
  key: readonly string[],
  rows: Row[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerInsert)
    await dialect.ignoringClash(trx(table).insert(rows.slice(at, at + rowsPerInsert)), [...key])
}

/** Knex writes SQLite's multi-row insert as a compound SELECT, which is limited to 500 terms. */
export const rowsPerInsert = 200
