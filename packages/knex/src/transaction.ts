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
export function requireFence(
  database: Database,
  trx: Knex.Transaction,
  lane: Pick<ClaimedLane, 'key' | 'fence'>,
): Promise<HeldLane> {
  return heldLane(database.dialect.forUpdate(held(database, trx, lane)), lane)
}

/** Only looks whether the lane is still the holder's; rejects with LEASE_LOST where it is not. */
export function seeFence(
  database: Database,
  trx: Knex.Transaction,
  lane: Pick<ClaimedLane, 'key' | 'fence'>,
): Promise<HeldLane> {
  return heldLane(held(database, trx, lane), lane)
}

function held(
  { tables, nowUs }: Database,
  trx: Knex.Transaction,
  { key, fence }: Pick<ClaimedLane, 'key' | 'fence'>,
): Knex.QueryBuilder {
  return trx(tables.lanes)
    .select('wake', 'after_lane', trx.raw(`${nowUs()} as now_us`))
    .where({ lane: key, fence })
    .whereNotNull('owner')
}

async function heldLane(query: Knex.QueryBuilder, lane: Pick<ClaimedLane, 'key'>): Promise<HeldLane> {
  const [row] = await query
  if (!row) throw leaseLost(lane.key)
  return { wake: Number(row.wake), afterLane: row.after_lane, nowUs: Number(row.now_us) }
}

function leaseLost(lane: string): BookingWebhooksError {
  return new BookingWebhooksError(
    'LEASE_LOST',
    `The lease of lane ${lane} ran out and another worker has it. Nothing was written; raise leaseMs if this is frequent.`,
  )
}
