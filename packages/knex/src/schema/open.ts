import type { Database } from '../database/database.js'
import { requirePlainNames } from '../database/require-plain-names.js'
import { migrate, requireCurrentSchema } from './migrate.js'

/** Brings the schema up to date, or only checks it, and returns the installation's secret, made with its first migration. */
export async function openDatabase(database: Database, mayMigrate: boolean): Promise<{ secret: string }> {
  await requirePlainNames(database.knex)
  await database.dialect.prepare(database.knex, database.isOwn)
  if (mayMigrate) await migrate(database)
  else await requireCurrentSchema(database)
  const [row] = await database.knex(database.tables.installation).select('secret')
  return { secret: row.secret }
}
