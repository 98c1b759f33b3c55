import { transaction } from '../database/transaction.js'
import { claimSets, dueLanes } from '../lane/claim.js'
import { lockWaitMs, recordOnPostgres } from '../record/on-postgres.js'
import type { Dialect, Failure, Row } from './dialect.js'
import { postgresMessages } from './postgres-messages.js'

export const postgres: Dialect = {
  name: 'postgres',
  nowUs: '(extract(epoch from clock_timestamp()) * 1000000)::bigint',
  // REPEATABLE READ leaks slots: two that leave a meeting at once do not see each other go.
  transactionConfig: { isolationLevel: 'read committed' },
  // Bytes are compared, not a language's letters: quicker, and sorted as JavaScript sorts.
  columnTypes: async () => ({
    key: length => `varchar(${length}) collate "C"`,
    text: 'text',
    bytes: 'bytea',
  }),

  async prepare() {},
  unflushed: (database, work) =>
    transaction(database, async trx => {
      await trx.raw('SET LOCAL synchronous_commit = off')
      return work(trx)
    }),
  async begin() {},
  hasRowLocks: true,
  hasPartialIndexes: true,
  updateReturns: true,
  // Knex returns the builder itself.
  forUpdate: query => query.forUpdate() as typeof query,
  rows: answer => (answer as { rows: Row[] }).rows,

  ignoringClash: (insert, key) => insert.onConflict(key).ignore(),
  proposed: column => `excluded.${column}`,
  record: recordOnPostgres,
  recordPatienceMs: lockWaitMs,
  async claimDue(database, { kind, subscriber, limit, leaseMs, owner }) {
    const { lanes } = database.tables
    // A claim that is lost with the power is lost with whoever claimed: its commit need not wait for the disk.
    const answer = await database.knex.raw(
      `WITH due AS MATERIALIZED (${dueLanes(database, 'lane, due_us')} FOR UPDATE SKIP LOCKED),
       unflushed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
       UPDATE ${lanes} SET ${claimSets(database)} FROM due, unflushed WHERE ${lanes}.lane = due.lane
       RETURNING ${lanes}.lane, fence, wake, failures, is_abandoned, due.due_us AS was_due_us`,
      [kind, subscriber, limit, Math.round(leaseMs * 1000), owner],
    )
    return answer.rows.sort((a: Row, b: Row) => Number(a.was_due_us) - Number(b.was_due_us))
  },

  async lockMigration(trx, { prefix }) {
    await trx.raw('SELECT pg_advisory_xact_lock(hashtext(?))', [`${prefix}migration`])
  },
  async unlockMigration() {},

  messages: postgresMessages,

  failureOf(error): Failure | null {
    if (!(error instanceof Error)) return null
    const { code, severity } = error as Error & { code?: string; severity?: string }
    if (severity === undefined || code === undefined) return isCutOff(error) ? 'unavailable' : null
    // Serialization failure, deadlock, lock not available (the time-out above), a connection too many.
    if (['40001', '40P01', '55P03', '53300'].includes(code)) return 'transient'
    if (code === '23505') return 'unique'
    // Connection exceptions, no space or memory, shutdown, no such database or password.
    if (/^(08|53|57P|58|28|3D)/.test(code)) return 'unavailable'
    return 'refused'
  },
}

/** What pg says where the server went away; these errors have no code, and Knex puts the statement before the words. */
function isCutOff(error: Error): boolean {
  return /(?:^| - )(?:Connection terminated(?: unexpectedly| due to connection timeout)?|timeout expired|Query read timeout|Client (?:has encountered a connection error|was closed) and is not queryable)$/.test(
    error.message,
  )
}
