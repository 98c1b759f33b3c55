import { migrateDatabase, schemaOf } from '@booking-webhooks/knex'
import type { Command } from 'commander'
import { examples } from '../arguments/examples.js'
import { databaseOption, jsonOption, type SharedOptions } from '../arguments/shared-options.js'
import { databaseFrom } from '../environment/index.js'
import { existingDatabase } from '../existing-database.js'
import { exitCode } from '../exit-code.js'
import type { Act } from '../run.js'
import { schemaInWords } from '../schema-in-words.js'

interface MigrateOptions extends SharedOptions {
  check?: boolean
}

/** `migrate`: brings the schema up to date, or says whether it is. */
export function addMigrate(program: Command, act: Act): void {
  program
    .command('migrate')
    .description('bring the database schema up to date')
    .option('--check', 'change nothing; exit 1 unless it is up to date')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        ['booking-webhooks migrate', 'before a deployment'],
        ['booking-webhooks migrate --check --database postgres://localhost/app', 'in a health check'],
      ),
    )
    .action((options: MigrateOptions) => act(migrate(options)))
}

async function migrate({ check, database, json }: MigrateOptions): Promise<number> {
  const url = database ?? databaseFrom(process.env)
  if (check) existingDatabase(url)
  else await migrateDatabase(url)
  const state = await schemaOf(url)
  process.stdout.write(`${json ? JSON.stringify(state) : schemaInWords(state)}\n`)
  return state.isCurrent ? exitCode.done : exitCode.notSo
}
