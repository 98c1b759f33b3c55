import type { Knex } from 'knex'
import type { Tables } from '../../database/tables.js'
import type { Dialect } from '../../dialects/dialect.js'
import { createLedger } from './001-ledger.js'

/** One step of the schema: from version `n - 1` to `n`, where `n` is its place in the list, counted from 1. */
export interface Migration {
  name: string
  up(db: Knex, dialect: Dialect, tables: Tables): Promise<void>
}

/** All of them, oldest first. What was released is never changed: a change is a further step. */
export const migrations: readonly Migration[] = [{ name: '001-ledger', up: createLedger }]
