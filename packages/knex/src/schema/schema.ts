import type { Knex } from 'knex'
import { connect } from '../database/connect.js'
import type { Database } from '../database/database.js'
import { requirePlainNames } from '../database/require-plain-names.js'
import { retrying } from '../database/retrying.js'
import { namedTables } from '../database/tables.js'
import { dialectOf } from '../dialects/dialect-of.js'
import { defaultPrefix, type KnexStoreOptions } from '../options.js'
import { migrate, type SchemaState, schemaState } from './migrate.js'

export type { SchemaState } from './migrate.js'

type Target = Knex | Knex.Config | string | undefined

/** Which schema version a database has, and which this package needs. Changes nothing. */
export function schemaOf(
  target: Target,
  options: Pick<KnexStoreOptions, 'prefix'> = {},
): Promise<SchemaState> {
  return withDatabase(target, options, schemaState)
}

/** Brings a database's schema up to date, as `open()` does, and says from which version to which. */
export function migrateDatabase(
  target: Target,
  options: Pick<KnexStoreOptions, 'prefix'> = {},
): Promise<{ from: number; to: number }> {
  return withDatabase(target, options, async database => {
    await database.dialect.prepare(database.knex, database.isOwn)
    const { version, needed } = await schemaState(database)
    await migrate(database)
    return { from: version, to: needed }
  })
}

async function withDatabase<Result>(
  target: Target,
  { prefix = defaultPrefix }: Pick<KnexStoreOptions, 'prefix'>,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { knex, isOwn } = connect(target)
  const dialect = dialectOf(knex)
  const database = { knex, isOwn, dialect, tables: namedTables(prefix), nowUs: () => dialect.nowUs }
  try {
    return await retrying(
      database,
      async () => {
        await requirePlainNames(knex)
        return work(database)
      },
      60_000,
    )
  } finally {
    if (isOwn) await knex.destroy()
  }
}
