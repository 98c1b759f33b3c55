import type { Settlement } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { type Database, idleUs } from '../database/database.js'
import { insertMissing } from '../database/insert-missing.js'

interface Link {
  subscriber: string
  after: string | null
  isIdle: boolean
}

/**
 * Makes the older thread's lane wait until the younger one's is idle. `after` is a chain: where the older lane waits already, that wait goes
 * to the end of the younger one's chain.
 */
export async function joinLanes(
  database: Database,
  trx: Knex.Transaction,
  joins: Settlement['laneJoins'],
): Promise<void> {
  for (const { older, younger } of joins) {
    const link = await lockedLink(database, trx, younger)
    // Nothing to wait for: nothing was ever told there, or all of it is done. A lane that waits itself is not idle.
    if (!link || (link.isIdle && link.after === null)) continue
    const chain = await chainFrom(database, trx, younger)
    // The other way round would be a circle, in which nobody goes first.
    if (chain.includes(older)) continue
    await makeLane(database, trx, older, link.subscriber)
    const before = (await lockedLink(database, trx, older))?.after ?? null
    if (before !== null && !chain.includes(before))
      await waitAfter(database, trx, chain.at(-1) ?? younger, before)
    await waitAfter(database, trx, older, younger)
  }
}

/** The lane and those that it waits for, the one that goes first at the end. */
async function chainFrom(database: Database, trx: Knex.Transaction, lane: string): Promise<string[]> {
  const chain = [lane]
  for (;;) {
    const after = (await lockedLink(database, trx, chain.at(-1) ?? lane))?.after ?? null
    if (after === null || chain.includes(after)) return chain
    chain.push(after)
  }
}

async function lockedLink(
  { dialect, tables }: Database,
  trx: Knex.Transaction,
  lane: string,
): Promise<Link | null> {
  const query = trx(tables.lanes).select('subscriber', 'after_lane', 'due_us').where({ lane })
  const [row] = await dialect.forUpdate(query)
  return row
    ? { subscriber: row.subscriber, after: row.after_lane, isIdle: Number(row.due_us) === idleUs }
    : null
}

/** The older thread may not have been told of anything yet. */
async function makeLane(
  database: Database,
  trx: Knex.Transaction,
  lane: string,
  subscriber: string,
): Promise<void> {
  const { tables, nowUs } = database
  const row = { lane, kind: 'tell', subscriber, due_us: idleUs, fence: trx.raw(nowUs()), wake: 0 }
  await insertMissing(database, trx, tables.lanes, ['lane'], [row])
}

async function waitAfter(
  { tables }: Database,
  trx: Knex.Transaction,
  lane: string,
  after: string,
): Promise<void> {
  await trx(tables.lanes).where({ lane }).update({ after_lane: after })
}
