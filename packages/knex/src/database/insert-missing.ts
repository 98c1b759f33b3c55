import type { Knex } from 'knex'
import type { Row } from '../dialects/dialect.js'
import { chunksOf } from './chunks.js'
import type { Database } from './database.js'

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
  for (const chunk of chunksOf(rows)) await dialect.ignoringClash(trx(table).insert(chunk), [...key])
}
