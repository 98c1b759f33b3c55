import { BookingWebhooksError, type ClaimedLane } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from './database.js'

/** Runs `work` in one transaction that may write, in READ COMMITTED where there is a choice. */
export function transaction<Result>(
  { knex, dialect, tables }: Database,
  work: (trx: Knex.Transaction) => Promise<Result>,
  connection?: unknown,
): Promise<Result> {
  return knex.transaction(
    async trx => {
      await dialect.begin(trx, tables)
      return work(trx)
    },
    connection === undefined ? dialect.transactionConfig : { ...dialect.transactionConfig, connection },
  )
}

/** A lane's row as its holder locked it, and the clock at that moment. */
export interface HeldLane {
  wake: number
  afterLane: string | null
  nowUs: number
}

/** Runs `work` in one transaction that holds the lane's row; rejects with LEASE_LOST where the lane is someone else's by now. */
export function underFence<Result>(
  database: Database,
  lane: Pick<ClaimedLane, 'key' | 'fence'>,
  work: (trx: Knex.Transaction, held: HeldLane) => Promise<Result>,
): Promise<Result> {
  return transaction(database, async trx => work(trx, await requireFence(database, trx, lane)))
}

/** `underFence` for what is done again if a loss of power undoes it; see `Dialect.unflushed`. */
export function underFenceUnflushed<Result>(
  database: Database,
  lane: Pick<ClaimedLane, 'key' | 'fence'>,
  work: (trx: Knex.Transaction, held: HeldLane) => Promise<Result>,
): Promise<Result> {
  return database.dialect.unflushed(database.knex, connection =>
    transaction(database, async trx => work(trx, await requireFence(database, trx, lane)), connection),
  )
}

/** Locks the lane's row and reads it; rejects with LEASE_LOST where the lane is someone else's by now. */
export async function requireFence(
  { dialect, tables, nowUs }: Database,
  trx: Knex.Transaction,
  lane: Pick<ClaimedLane, 'key' | 'fence'>,
): Promise<HeldLane> {
  const query = trx(tables.lanes)
    .select('wake', 'after_lane', trx.raw(`${nowUs()} as now_us`))
    .where({ lane: lane.key, fence: lane.fence })
    .whereNotNull('owner')
  const row = (await dialect.forUpdate(query))[0]
  if (!row) throw leaseLost(lane.key)
  return { wake: Number(row.wake), afterLane: row.after_lane, nowUs: Number(row.now_us) }
}

function leaseLost(lane: string): BookingWebhooksError {
  return new BookingWebhooksError(
    'LEASE_LOST',
    `The lease of lane ${lane} ran out and another worker has it. Nothing was written; raise leaseMs if this is frequent.`,
  )
}
