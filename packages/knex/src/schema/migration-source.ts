import type { Knex } from 'knex'
import { requirePlainNames } from '../database/require-plain-names.js'
import { namedTables } from '../database/tables.js'
import { dialectOf } from '../dialects/dialect-of.js'
import { defaultPrefix } from '../options.js'
import { migrate, neededVersion } from './migrate.js'
import { type Migration, migrations } from './migrations/index.js'

/**
 * The schema for your own Knex: `knex.migrate.latest({ migrationSource: migrationSource(), tableName: 'booking_webhooks_migrations' })`. Knex
 * refuses a table of migrations that knows others than the source has, so these have one of their own; each prefix its own, too. What the store
 * has already done at its start is not done again, and the other way round. There is no way down: the ledger is append-only.
 */
export function migrationSource({
  prefix = defaultPrefix,
}: {
  prefix?: string
} = {}): Knex.MigrationSource<Migration> {
  const tables = namedTables(prefix)
  const named = prefix === defaultPrefix ? 'booking-webhooks' : `booking-webhooks-${prefix}`
  return {
    getMigrations: async () => [...migrations],
    getMigrationName: migration => `${named}-${migration.name}`,
    getMigration: async migration => ({
      async up(knex) {
        await requirePlainNames(knex)
        const dialect = dialectOf(knex)
        const version = migrations.indexOf(migration) + 1
        await migrate({ knex, isOwn: false, dialect, tables, nowUs: () => dialect.nowUs }, version)
      },
      async down() {
        throw new Error(`The schema of booking-webhooks (version ${neededVersion}) has no way down.`)
      },
    }),
  }
}
