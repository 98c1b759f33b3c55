import type { ClaimRequest, NewEvent, Recorded } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import type { Tables } from '../database/tables.js'

/** What a driver's error means, as far as the store acts on it. */
export type Failure =
  /** A deadlock, a serialization failure, a busy file: nothing was done, do it again. */
  | 'transient'
  /** A unique constraint. */
  | 'unique'
  /** The database refused these values or this statement: trying again changes nothing. */
  | 'refused'
  /** No database, no connection, no disk. */
  | 'unavailable'

export type Row = Record<string, unknown>

/** How a database spells the types of columns. */
export interface ColumnTypes {
  /** An identifier of up to so many characters, compared exactly: case, accents and trailing blanks count. */
  key(length: number): string
  text: string
  /** Up to 16 MiB. */
  bytes: string
}

/** Messages without content. */
export interface Messages {
  send(): Promise<void>
  /** Calls back for each message of another sender and whenever some may have been missed; returns how to stop. */
  receive(listener: () => void): () => Promise<void>
}

/** The differences between databases, all of them. One file per database implements it. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres' | 'mysql'
  /** The database's clock in whole microseconds since 1970, as SQL, whatever the session's time zone. */
  readonly nowUs: string
  readonly transactionConfig: Knex.TransactionConfig
  columnTypes(knex: Knex): Promise<ColumnTypes>
  /** Checks, and where it may sets, what a database must be like. Called by `open()`, before anything else. */
  prepare(knex: Knex, isOwn: boolean): Promise<void>
  /**
   * Runs `work` in a transaction that outlives the process, but perhaps not a loss of power, where not flushing it saves something. For what is
   * merely done again when it is lost; a later commit that is flushed keeps those before it, too.
   */
  unflushed<Result>(database: Database, work: (trx: Knex.Transaction) => Promise<Result>): Promise<Result>
  /** How long a transactional subscriber may take where it does not say, in milliseconds; absent: as long as any other. */
  readonly transactionalTimeoutMs?: number
  /** The first thing in a transaction that writes. */
  begin(trx: Knex.Transaction, tables: Tables): Promise<void>
  /** False where a transaction that writes is alone in the database. */
  readonly hasRowLocks: boolean
  /** Whether an index can leave rows out; see `partial-indexes.ts`. */
  readonly hasPartialIndexes: boolean
  /** Whether an UPDATE can bring back the rows that it wrote. */
  readonly updateReturns: boolean
  /** Locks the rows that a query reads until the transaction ends. */
  forUpdate<Query extends Knex.QueryBuilder>(query: Query): Query
  /** The rows of a raw query's answer. */
  rows(answer: unknown): Row[]
  /** Makes an INSERT leave out rows whose key is there already. */
  ignoringClash(insert: Knex.QueryBuilder, key: string[]): Knex.QueryBuilder
  /** How an INSERT that turns into an update names the value it brought. */
  proposed(column: string): string
  /** Stores events; see `Store.record`. */
  record(database: Database, events: NewEvent[]): Promise<Recorded[]>
  /** Ends what storing keeps beside Knex's connections. */
  end?(database: Database): Promise<void>
  /** How long storing is tried again where the file or a row is busy, in milliseconds: then the provider is asked to come again. */
  readonly recordPatienceMs: number
  /** Claims due lanes of one kind and subscriber, in the order in which they became due; see `claim.ts` for the parts of its SQL. */
  claimDue(database: Database, request: ClaimRequest & { subscriber: string }): Promise<Row[]>
  /** Keeps other processes from migrating until the transaction ends, or `unlockMigration` is called. */
  lockMigration(trx: Knex.Transaction, tables: Tables): Promise<void>
  unlockMigration(trx: Knex.Transaction, tables: Tables): Promise<void>
  /** Messages to other processes under a name, where the database carries such; null where this Knex instance cannot. */
  messages?(knex: Knex, name: string): Messages | null
  /** Null for an error that is not the driver's. */
  failureOf(error: unknown): Failure | null
}
