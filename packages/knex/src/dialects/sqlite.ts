import type { Database as Connection } from 'better-sqlite3'
import type { Knex } from 'knex'
import { transaction } from '../database/transaction.js'
import { claimColumns, claimSets, dueLanes } from '../lane/claim.js'
import { recordOnSqlite } from '../record/on-sqlite.js'
import { ThreadEnded } from '../sqlite-thread/start-thread.js'
import { endThread } from '../sqlite-thread/thread-of.js'
import type { Dialect, Failure, Row } from './dialect.js'
import { checkpoint, flushed } from './sqlite-pragmas.js'

/** A wait for the file's lock blocks the event loop, so it is short; the longer wait is `retrying`'s, between tries. */
const busyTimeoutMs = 5

const pragmas = [`busy_timeout = ${busyTimeoutMs}`, flushed]

/** One writer at a time, for the whole file; no row locks, as a transaction that writes is alone. */
export const sqlite: Dialect = {
  name: 'sqlite',
  nowUs: `(cast(unixepoch('subsec') * 1000 as integer) * 1000)`,
  transactionConfig: {},
  columnTypes: async () => ({ key: length => `varchar(${length})`, text: 'text', bytes: 'blob' }),

  async prepare(knex, isOwn) {
    if (!isOwn) {
      setOnEachConnection(knex)
      // The connection that there is, for a pool that tells of none.
      for (const pragma of pragmas) await knex.raw(`PRAGMA ${pragma}`)
    }
    await knex.raw('PRAGMA journal_mode = WAL')
  },

  unflushed: (database, work) =>
    onUnflushedConnection(database.knex, connection => transaction(database, work, connection)),

  // Knex begins transactions deferred: one that reads before it writes fails when another wrote in between, and no waiting helps.
  // A write that changes nothing, as the first statement, takes the lock at once.
  async begin(trx, tables) {
    await trx.raw(`UPDATE ${tables.installation} SET id = id WHERE id = 0`)
  },

  // Its one writer is taken meanwhile, and the process's one connection: deliveries wait for it.
  transactionalTimeoutMs: 500,
  hasRowLocks: false,
  hasPartialIndexes: true,
  updateReturns: true,
  forUpdate: query => query,

  rows: answer => answer as Row[],

  ignoringClash: (insert, key) => insert.onConflict(key).ignore(),
  proposed: column => `excluded.${column}`,
  record: recordOnSqlite,
  end: endThread,
  // More than for a row elsewhere: the lock is the whole file's, and each other process that writes holds it for a commit. An answer
  // that is a second late is better than a 503, and providers wait for ten.
  recordPatienceMs: 3_000,

  async claimDue(database, { kind, subscriber, limit, leaseMs, owner }) {
    const { knex, tables, nowUs } = database
    // A claim that is lost with the power is lost with whoever claimed.
    return onUnflushedConnection(knex, async connection => {
      const due: Row[] = await knex.raw(dueLanes(database), [kind, subscriber, limit]).connection(connection)
      const keys = due.map(row => row.lane as string)
      // Most polls find nothing, and need no writer's lock for it.
      if (keys.length === 0) return []
      const rows: Row[] = await knex
        .raw(
          `UPDATE ${tables.lanes} SET ${claimSets(database)}
           WHERE lane IN (${keys.map(() => '?')}) AND due_us <= ${nowUs()} AND after_lane IS NULL RETURNING ${claimColumns}`,
          [Math.round(leaseMs * 1000), owner, ...keys],
        )
        .connection(connection)
      return rows.sort((a, b) => keys.indexOf(a.lane as string) - keys.indexOf(b.lane as string))
    })
  },

  // The losers of a race get SQLITE_BUSY and come again.
  async lockMigration() {},
  async unlockMigration() {},

  failureOf(error): Failure | null {
    if (!(error instanceof Error)) return null
    if (error instanceof ThreadEnded) return 'transient'
    if (/^Cannot open database/.test(error.message)) return 'unavailable'
    if (error.name !== 'SqliteError') return null
    const { code = '' } = error as Error & { code?: string }
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'transient'
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return 'unique'
    if (/^SQLITE_(CANTOPEN|IOERR|FULL|READONLY|NOTADB|CORRUPT|PERM|AUTH)/.test(code)) return 'unavailable'
    return 'refused'
  },
}

/** Pools that were handed in, and the connections of theirs that are set. */
const watched = new WeakSet<object>()
const isSet = new WeakSet<Connection>()

/** A pool that was handed in may let its connection go when nobody uses it, and make another one: each is set when it is first handed out. */
function setOnEachConnection(knex: Knex): void {
  const pool: Pool | undefined = knex.client.pool
  if (!pool || watched.has(pool)) return
  watched.add(pool)
  pool.on?.('acquireSuccess', (_event, connection) => {
    if (isSet.has(connection)) return
    for (const pragma of pragmas) connection.pragma(pragma)
    isSet.add(connection)
  })
}

/** What is used of Knex's pool, which is tarn's, or one that Knex was handed and that need not have this. */
interface Pool {
  on?(event: 'acquireSuccess', listener: (event: number, connection: Connection) => void): void
}

// A flush is most of what a small commit costs (6 ms on a busy disk): 40 events of 4 bookings took 169, and take 114 with this.
async function onUnflushedConnection<Result>(
  knex: Knex,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection: Connection = await knex.client.acquireConnection()
  try {
    connection.pragma('synchronous = NORMAL')
    return await work(connection)
  } finally {
    connection.pragma(flushed)
    await knex.client.releaseConnection(connection)
  }
}

/** What a configuration for SQLite needs besides the file: Knex's pool of one, and the settings on each connection it makes. */
export function configureSqlite(config: Knex.Config): Knex.Config {
  const { afterCreate, ...pool } = config.pool ?? {}
  return {
    useNullAsDefault: true,
    ...config,
    pool: {
      ...pool,
      min: 1,
      max: 1,
      afterCreate(connection: Connection, done: (error: unknown, connection: unknown) => void) {
        for (const pragma of [...pragmas, checkpoint]) connection.pragma(pragma)
        if (afterCreate) afterCreate(connection, done)
        else done(null, connection)
      },
    },
  }
}
