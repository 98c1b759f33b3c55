import { randomBytes } from 'node:crypto'
import { BookingWebhooksError, invalidOption } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { migrations } from './migrations/index.js'

/** Which version a database has, and which this package needs. 0: none yet. */
export interface SchemaState {
  version: number
  needed: number
  isCurrent: boolean
}

/** The version that this package needs. */
export const neededVersion = migrations.length

/** What the database has; changes nothing. */
export async function schemaState({ knex, tables }: Database): Promise<SchemaState> {
  const version = (await knex.schema.hasTable(tables.installation))
    ? await versionIn(knex, tables.installation)
    : 0
  return { version, needed: neededVersion, isCurrent: version === neededVersion }
}

/**
 * Brings the schema to this package's version, or up to `target`. Safe when many processes do it at once: they take turns and the later
 * ones find nothing to do. Rejects with SCHEMA_TOO_NEW where a newer version of this package was here.
 */
export async function migrate(database: Database, target: number = neededVersion): Promise<void> {
  const { knex, dialect, tables } = database
  const run = async (trx: Knex.Transaction): Promise<void> => {
    await dialect.lockMigration(trx, tables)
    try {
      await migrateAlone({ ...database, knex: trx }, target)
    } finally {
      await dialect.unlockMigration(trx, tables)
    }
  }
  // Inside `knex migrate` there is a transaction already; MySQL has no savepoints across DDL.
  await (isTransaction(knex) ? run(knex) : knex.transaction(run, dialect.transactionConfig))
}

function isTransaction(knex: Knex): knex is Knex.Transaction {
  return knex.isTransaction === true
}

async function migrateAlone({ knex, dialect, tables }: Database, target: number): Promise<void> {
  await ensureInstallation(knex, tables.installation)
  let version = await versionIn(knex, tables.installation)
  if (version > neededVersion) throw schemaTooNew(version)
  for (const migration of migrations.slice(version, target)) {
    if (version === 0) await dropLeftOvers(knex, tables)
    await migration.up(knex, dialect, tables)
    version += 1
    await knex(tables.installation).update({ schema_version: version })
  }
}

/** The row is made by whoever comes first; writing it is what takes SQLite's one write lock. */
async function ensureInstallation(db: Knex, installation: string): Promise<void> {
  if (!(await db.schema.hasTable(installation)))
    await db.schema.createTable(installation, table => {
      table.integer('id').primary()
      table.integer('schema_version').notNullable()
      table.string('secret', 64).notNullable()
    })
  const rows = await db(installation).select('id')
  if (rows.length === 0)
    await db(installation).insert({
      id: 1,
      schema_version: 0,
      secret: randomBytes(32).toString('hex'),
    })
}

/**
 * MySQL commits each CREATE TABLE by itself, so a process that died in the middle leaves tables at version 0. They are empty: nothing
 * is recorded before the version is set. One that holds rows is not ours: INVALID_OPTION.
 */
async function dropLeftOvers(db: Knex, tables: Database['tables']): Promise<void> {
  const { installation, prefix, ...others } = tables
  for (const table of Object.values(others)) {
    if (!(await db.schema.hasTable(table))) continue
    if ((await db(table).limit(1)).length > 0)
      throw invalidOption(
        `The table ${table} holds rows but ${installation} has no version. Is the prefix ${prefix} used by something else? Choose another one: knexStore(database, { prefix }).`,
      )
    await db.schema.dropTable(table)
  }
}

async function versionIn(db: Knex, installation: string): Promise<number> {
  const rows = await db(installation).select('schema_version')
  return Number(rows[0]?.schema_version ?? 0)
}

/** For `migrate: false`: rejects with SCHEMA_OUTDATED or SCHEMA_TOO_NEW unless the schema is this package's. */
export async function requireCurrentSchema(database: Database): Promise<void> {
  const { version, needed } = await schemaState(database)
  if (version > needed) throw schemaTooNew(version)
  if (version < needed)
    throw new BookingWebhooksError(
      'SCHEMA_OUTDATED',
      `The database's schema is at version ${version}, this package needs ${needed}. Run booking-webhooks migrate, or leave out knexStore(…, { migrate: false }).`,
    )
}

function schemaTooNew(version: number): BookingWebhooksError {
  return new BookingWebhooksError(
    'SCHEMA_TOO_NEW',
    `The database's schema is at version ${version}, this package knows ${neededVersion}. Update @booking-webhooks/knex; a schema is never taken back.`,
  )
}
