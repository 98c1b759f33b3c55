import { BookingWebhooksError, type ClaimedLane } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { transaction } from '../database/transaction.js'
import type { Row } from '../dialects/dialect.js'

type Lane = Pick<ClaimedLane, 'key' | 'fence'>

/** A lane's row as its holder locked it. */
export interface HeldLane {
  wake: number
  afterLane: string | null
}

/** Which lanes are still in the caller's hands, and the clock at that moment. */
interface Held<Of> {
  held: Map<Of, HeldLane>
  nowUs: number
}

/** Locks the rows of these lanes, and of those alongside, in one order for everybody; and says which of these are still in the caller's hands. */
export async function heldLanes<Of extends Lane>(
  database: Database,
  trx: Knex.Transaction,
  lanes: Of[],
  alongside: string[] = [],
): Promise<Held<Of>> {
  const query = rowsOf(database, trx, [...lanes.map(lane => lane.key), ...alongside])
  return heldIn(await database.dialect.forUpdate(query), lanes)
}

/** Only looks which of these lanes are still in the caller's hands. */
export async function seeLanes<Of extends Lane>(
  database: Database,
  trx: Knex.Transaction,
  lanes: Of[],
): Promise<Held<Of>> {
  const keys = lanes.map(lane => lane.key)
  return heldIn(await rowsOf(database, trx, keys), lanes)
}

function rowsOf({ tables, nowUs }: Database, trx: Knex.Transaction, keys: string[]): Knex.QueryBuilder {
  return trx(tables.lanes)
    .select('lane', 'owner', 'fence', 'wake', 'after_lane', trx.raw(`${nowUs()} as now_us`))
    .whereIn('lane', [...new Set(keys)])
    .orderBy('lane')
}

function heldIn<Of extends Lane>(rows: Row[], lanes: Of[]): Held<Of> {
  const byKey = new Map(rows.map(row => [row.lane as string, row]))
  const held = new Map<Of, HeldLane>()
  for (const lane of lanes) {
    const row = byKey.get(lane.key)
    if (row && row.owner !== null && Number(row.fence) === lane.fence)
      held.set(lane, { wake: Number(row.wake), afterLane: row.after_lane as string | null })
  }
  return { held, nowUs: Number(rows[0]?.now_us ?? 0) }
}

/** Locks the lane's row; rejects with LEASE_LOST where the lane is someone else's by now. */
export async function requireFence(
  database: Database,
  trx: Knex.Transaction,
  lane: Lane,
): Promise<{ nowUs: number }> {
  const { held, nowUs } = await heldLanes(database, trx, [lane])
  if (!held.has(lane)) throw leaseLost(lane)
  return { nowUs }
}

/** Runs `work` in one transaction that holds the lane's row; rejects with LEASE_LOST where the lane is someone else's by now. */
export function underFence<Result>(
  database: Database,
  lane: Lane,
  work: (trx: Knex.Transaction, held: { nowUs: number }) => Promise<Result>,
): Promise<Result> {
  return transaction(database, async trx => work(trx, await requireFence(database, trx, lane)))
}

export function leaseLost({ key }: Lane): BookingWebhooksError {
  return new BookingWebhooksError(
    'LEASE_LOST',
    `The lease of lane ${key} ran out and another worker has it. Nothing was written; raise leaseMs if this is frequent.`,
  )
}
