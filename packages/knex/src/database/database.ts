import type { Knex } from 'knex'
import type { Dialect } from '../dialects/dialect.js'
import type { Opening } from '../sqlite-thread/opening-of.js'
import type { Tables } from './tables.js'

/** What every operation of the store works on. */
export interface Database {
  readonly knex: Knex
  /** False for a Knex instance that was handed in. */
  readonly isOwn: boolean
  /** How another connection to the same SQLite file is made; absent where the store makes none. */
  readonly opening?: Opening | null
  readonly dialect: Dialect
  readonly tables: Tables
  /** The clock as SQL, in microseconds: the database's own, or the one handed in. */
  nowUs(): string
}

/** A lane that nothing is due in: no clock reaches 2^53 − 1 µs (the year 2255). */
export const idleUs = 9_007_199_254_740_991
