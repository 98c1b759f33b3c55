import type { ClaimedLane, LaneKind } from '@booking-webhooks/core'
import { type Database, idleUs } from '../database/database.js'

/** Prolongs a lease; false where the lane is someone else's by now. */
export async function renewLane(
  { knex, tables, nowUs }: Database,
  lane: ClaimedLane,
  leaseMs: number,
): Promise<boolean> {
  const changed = await knex(tables.lanes)
    .where({ lane: lane.key, fence: lane.fence })
    .whereNotNull('owner')
    .update({ due_us: knex.raw(`${nowUs()} + ?`, [Math.round(leaseMs * 1000)]) })
  return changed > 0
}

/** Milliseconds until the next lane of the kind is due; null where none ever is. */
export async function nextDueMs(
  { knex, tables, nowUs }: Database,
  kind: LaneKind,
  subscribers: string[],
): Promise<number | null> {
  const waits = await Promise.all(
    (kind === 'tell' ? subscribers : ['']).map(async subscriber => {
      const rows = await knex(tables.lanes)
        .select(knex.raw(`due_us - ${nowUs()} as wait_us`))
        .where({ kind, subscriber })
        .where('due_us', '<', idleUs)
        .whereNull('after_lane')
        .orderBy('due_us')
        .limit(1)
      return rows.length === 0 ? [] : [Math.max(0, Math.ceil(Number(rows[0].wait_us) / 1000))]
    }),
  )
  return waits.flat().length === 0 ? null : Math.min(...waits.flat())
}
