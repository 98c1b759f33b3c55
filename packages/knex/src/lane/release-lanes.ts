import type { ClaimedLane, Release } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { type Database, idleUs } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { isUnsettled, isUntold } from '../schema/partial-indexes.js'
import type { HeldLane } from './fence.js'
import { wakenedDueUs } from './wake-lanes.js'

interface Released {
  lane: ClaimedLane
  to: Release
}

/** The lanes that wait for these: to be locked along with them. */
export async function followersOf(
  { tables }: Database,
  trx: Knex.Transaction,
  lanes: ClaimedLane[],
): Promise<string[]> {
  const keys = keysOf(lanes.filter(({ kind }) => kind === 'tell'))
  if (keys.length === 0) return []
  const rows = await trx(tables.lanes).select('lane').whereIn('after_lane', keys)
  return rows.map(row => row.lane as string)
}

/**
 * Lets go of lanes that are locked. Idle only if nothing came since the claim, which `wake` says and a look at what is pending would not, and if
 * nothing is left.
 */
export async function releaseLanes(
  database: Database,
  trx: Knex.Transaction,
  released: Released[],
  held: ReadonlyMap<ClaimedLane, HeldLane>,
  nowUs: number,
): Promise<void> {
  const { tables } = database
  const toIdle = released.filter(({ to }) => to.to === 'idle').map(({ lane }) => lane)
  const left = await leftUs(database, trx, toIdle)
  const ends = new Ends()
  for (const { lane, to } of released) {
    if (to.to === 'later') {
      ends.add(lane, nowUs + Math.round(to.afterMs * 1000), to.failures)
      continue
    }
    const { wake, afterLane } = held.get(lane) as HeldLane
    // A lane that waits after another is not idle: it is due as soon as that one lets it go, and those after it wait on.
    const isLast = wake === lane.wake && afterLane === null
    ends.add(lane, Math.max(isLast ? (left.get(lane.key) ?? idleUs) : 0, nowUs), 0)
  }
  for (const { dueUs, failures, lanes } of ends.all())
    await trx(tables.lanes)
      .whereIn('lane', keysOf(lanes))
      .update({ owner: null, is_abandoned: false, due_us: dueUs, failures })
  await releaseFollowers(database, trx, keysOf(ends.idle().filter(({ kind }) => kind === 'tell')))
}

/** Lanes by when they are due next. */
class Ends {
  readonly #byEnd = new Map<string, { dueUs: number; failures: number; lanes: ClaimedLane[] }>()

  add(lane: ClaimedLane, dueUs: number, failures: number): void {
    const key = `${dueUs} ${failures}`
    const end = this.#byEnd.get(key) ?? { dueUs, failures, lanes: [] }
    end.lanes.push(lane)
    this.#byEnd.set(key, end)
  }

  all() {
    return [...this.#byEnd.values()]
  }

  idle(): ClaimedLane[] {
    return this.all().flatMap(({ dueUs, lanes }) => (dueUs === idleUs ? lanes : []))
  }
}

/** When what is left in each lane is due: a timed look at its time, more than its holder read at once now. Nothing for a lane with nothing left. */
async function leftUs(
  { tables }: Database,
  trx: Knex.Transaction,
  lanes: ClaimedLane[],
): Promise<Map<string, number>> {
  const left = new Map<string, number>()
  const settled = keysOf(lanes.filter(({ kind }) => kind === 'settle'))
  if (settled.length > 0) {
    const rows: Row[] = await trx(tables.events)
      .select('lane')
      .min('due_us as due_us')
      .whereIn('lane', settled)
      .where({ status: 'pending' })
      .whereRaw(isUnsettled)
      .groupBy('lane')
    for (const row of rows) left.set(row.lane as string, Number(row.due_us))
  }
  const told = keysOf(lanes.filter(({ kind }) => kind === 'tell'))
  if (told.length > 0) {
    const rows = await trx(tables.tells)
      .distinct('lane')
      .whereIn('lane', told)
      .where({ status: 'pending' })
      .whereRaw(isUntold)
    for (const row of rows) left.set(row.lane, 0)
  }
  return left
}

async function releaseFollowers(
  { tables: { lanes }, nowUs }: Database,
  trx: Knex.Transaction,
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return
  await trx(lanes)
    .whereIn('after_lane', keys)
    .update({
      after_lane: null,
      due_us: trx.raw(wakenedDueUs(lanes, nowUs())),
    })
}

function keysOf(lanes: ClaimedLane[]): string[] {
  return lanes.map(({ key }) => key)
}
