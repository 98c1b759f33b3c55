import { type ClaimedLane, isBookingWebhooksError, type LaneKind, type Release } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { type Database, idleUs } from './database.js'
import { underFenceUnflushed } from './transaction.js'
import { wakenedDueUs } from './wake-lanes.js'

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

/** Lets go of a lane; false where it is someone else's by now. */
export async function releaseLane(database: Database, lane: ClaimedLane, to: Release): Promise<boolean> {
  if (to.to === 'later') return releaseForLater(database, lane, to)
  try {
    await releaseToIdle(database, lane)
    return true
  } catch (error) {
    if (isBookingWebhooksError(error, 'LEASE_LOST')) return false
    throw error
  }
}

async function releaseForLater(
  { knex, tables, nowUs }: Database,
  lane: ClaimedLane,
  { afterMs, failures }: Extract<Release, { to: 'later' }>,
): Promise<boolean> {
  const dueUs = knex.raw(`${nowUs()} + ?`, [Math.round(afterMs * 1000)])
  const changed = await knex(tables.lanes)
    .where({ lane: lane.key, fence: lane.fence })
    .whereNotNull('owner')
    .update({ ...free, due_us: dueUs, failures })
  return changed > 0
}

const free = { owner: null, is_abandoned: false }

/**
 * Idle only if nothing came since the claim, which `wake` says and a look at what is pending would not, and if nothing is left. A release that
 * is lost with the power leaves a lease that runs out.
 */
function releaseToIdle(database: Database, lane: ClaimedLane): Promise<void> {
  return underFenceUnflushed(database, lane, async (trx, held) => {
    // A lane that waits after another is not idle: it is due as soon as that one lets it go, and those after it wait on.
    const isLast = held.wake === lane.wake && held.afterLane === null
    const dueUs = isLast ? await leftUs(database, trx, lane) : 0
    await trx(database.tables.lanes)
      .where({ lane: lane.key })
      .update({ ...free, due_us: Math.max(dueUs, held.nowUs), failures: 0 })
    if (dueUs === idleUs && lane.kind === 'tell') await releaseFollowers(database, trx, lane.key)
  })
}

/** When what is left in the lane is due: a timed look at its time, more than its holder read at once now. IDLE for nothing. */
async function leftUs(
  { tables }: Database,
  trx: Knex.Transaction,
  { key: lane, kind }: ClaimedLane,
): Promise<number> {
  if (kind === 'replay') return idleUs
  if (kind === 'tell') {
    const tells = await trx(tables.tells).select('event_id').where({ lane, status: 'pending' }).limit(1)
    return tells.length > 0 ? 0 : idleUs
  }
  const [left] = await trx(tables.events).min('due_us as due_us').where({ lane, status: 'pending' })
  return left?.due_us == null ? idleUs : Number(left.due_us)
}

async function releaseFollowers(
  { tables: { lanes }, nowUs }: Database,
  trx: Knex.Transaction,
  lane: string,
): Promise<void> {
  await trx(lanes)
    .where({ after_lane: lane })
    .update({
      after_lane: null,
      due_us: trx.raw(wakenedDueUs(lanes, nowUs())),
    })
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
