import { BookingWebhooksError } from '@booking-webhooks/core'
import { transaction } from '../database/transaction.js'
import { claimSets, dueLanes } from '../lane/claim.js'
import { recordOnMariadb } from '../record/on-mariadb.js'
import { recordOnMysql } from '../record/on-mysql.js'
import type { Dialect, Failure, Row } from './dialect.js'
import { isMariadb } from './is-mariadb.js'

/** MySQL from 8.0.17 and MariaDB from 10.6. */
export const mysql: Dialect = {
  name: 'mysql',
  // Not UNIX_TIMESTAMP(NOW(6)): it goes through the session's zone, which has one hour of a year twice.
  nowUs: "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))",
  // REPEATABLE READ leaks slots: two that leave a meeting at once do not see each other go.
  transactionConfig: { isolationLevel: 'read committed' },

  // The default collation folds case and accents; utf8mb4_bin still takes 'a' and 'a ' for the same.
  async columnTypes(knex) {
    const answer = await knex.raw(
      "SHOW COLLATION WHERE Collation IN ('utf8mb4_0900_bin', 'utf8mb4_nopad_bin')",
    )
    const exact = `character set utf8mb4 collate ${mysql.rows(answer)[0]?.Collation ?? 'utf8mb4_bin'}`
    // Knex's text and binary are 64 KB.
    return { key: length => `varchar(${length}) ${exact}`, text: `mediumtext ${exact}`, bytes: 'mediumblob' }
  },

  async prepare() {},
  unflushed: transaction,
  async begin() {},
  hasRowLocks: true,
  hasPartialIndexes: false,
  updateReturns: false,
  // Knex returns the builder itself.
  forUpdate: query => query.forUpdate() as typeof query,
  rows: answer => (answer as [Row[]])[0],

  // INSERT IGNORE would cut what is too long in silence. A plain INSERT that clashes leaves a shared lock, over which all that clashed
  // deadlock as soon as they write. This changes nothing and locks the row for writing; each table has one unique key that can clash.
  ignoringClash(insert, key) {
    const [first = ''] = key
    return insert.onConflict(key).merge({ [first]: insert.client.raw('??', [first]) })
  },

  proposed: column => `values(${column})`,
  record: async (database, events) =>
    (await isMariadb(database.knex)) ? recordOnMariadb(database, events) : recordOnMysql(database, events),
  recordPatienceMs: 250,

  async claimDue(database, { kind, subscriber, limit, leaseMs, owner }) {
    const { knex, tables } = database
    const bindings = [kind, subscriber, limit]
    // Most polls find nothing, and need no transaction for it.
    if (mysql.rows(await knex.raw(dueLanes(database), bindings)).length === 0) return []
    return transaction(database, async trx => {
      const columns = 'lane, fence + 1 AS fence, wake, failures, owner IS NOT NULL AS is_abandoned'
      const rows = mysql.rows(
        await trx.raw(`${dueLanes(database, columns)} FOR UPDATE SKIP LOCKED`, bindings),
      )
      const keys = rows.map(row => row.lane as string)
      if (keys.length > 0)
        await trx.raw(
          `UPDATE ${tables.lanes} SET ${claimSets(database)} WHERE lane IN (${keys.map(() => '?')})`,
          [Math.round(leaseMs * 1000), owner, ...keys],
        )
      return rows
    })
  },

  // DDL commits whatever transaction it finds, so the lock is the session's.
  async lockMigration(trx, { prefix }) {
    const [answer] = mysql.rows(await trx.raw(`SELECT GET_LOCK(${migrationLock}, 60) AS got`, [prefix]))
    if (Number(answer?.got) !== 1)
      throw new BookingWebhooksError(
        'STORE_BUSY',
        'Another process has been migrating for a minute. Try again.',
      )
  },
  async unlockMigration(trx, { prefix }) {
    await trx.raw(`SELECT RELEASE_LOCK(${migrationLock})`, [prefix])
  },

  failureOf(error): Failure | null {
    if (!(error instanceof Error)) return null
    const { errno, code, sqlState } = error as Error & { errno?: number; code?: string; sqlState?: string }
    if (code === 'PROTOCOL_CONNECTION_LOST' || code === 'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR')
      return 'unavailable'
    if (sqlState === undefined || errno === undefined) return null
    if (transientErrors.has(errno)) return 'transient'
    if (errno === 1062) return 'unique'
    return unavailableErrors.has(errno) ? 'unavailable' : 'refused'
  },
}

/** Named by database and prefix, within the 64 characters that a lock's name may have. */
const migrationLock = "concat('booking-webhooks:', md5(concat(database(), ?)))"

/** Deadlock, lock wait time-out, record changed since last read (MariaDB), too many connections. */
const transientErrors = new Set([1213, 1205, 1020, 1040])

/** Disk full, access denied (also for want of a password), no such database, shutdown, more connections than this user may have, read-only. */
const unavailableErrors = new Set([1021, 1044, 1045, 1698, 1049, 1053, 1203, 1226, 1290, 1836])
