import type { ClaimedLane, SettleTransaction } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { type Became, gather } from '../database/gather.js'
import { patienceMs, retrying } from '../database/retrying.js'
import { transaction } from '../database/transaction.js'
import { heldLanes, leaseLost, seeLanes } from '../lane/fence.js'
import { wakeLanes } from '../lane/wake-lanes.js'
import { Apart, inStep, type Work } from './in-step.js'
import { joinLanes } from './join-lanes.js'
import { type Aftermath, settleSteps } from './steps.js'

/** More gain little by then, and hold each other's threads for longer. */
const atOnce = 64

/** Settles, under their lanes' fences, what comes together in one transaction; as if each had its own. */
export function settler(
  database: Database,
): <Result>(lane: ClaimedLane, work: (transaction: SettleTransaction) => Promise<Result>) => Promise<Result> {
  const settle = gather<Work, unknown>(
    works => retrying(database, () => settleTogether(database, works), patienceMs),
    atOnce,
  )
  return <Result>(lane: ClaimedLane, work: (transaction: SettleTransaction) => Promise<Result>) =>
    settle({ lane, work }) as Promise<Result>
}

/**
 * The fences are looked at first and the lanes locked last, together with those that are woken, in one order: whoever locks its own lane first and
 * then wants another one's, as the two halves of a move do, meets the other's holder waiting for the thread. And a delivery for a lane never
 * waits for a thread.
 */
function settleTogether(database: Database, works: Work[]): Promise<Became<unknown>[]> {
  return transaction(database, async trx => {
    const lanes = works.map(one => one.lane)
    const { held, nowUs } = await seeLanes(database, trx, lanes)
    const became = works.map(({ lane }, index): Became<unknown> | null => {
      if (!held.has(lane)) return { error: leaseLost(lane) }
      return lanes.findIndex(other => other.key === lane.key) < index ? 'put off' : null
    })
    const mine = works.filter((_, index) => became[index] === null)
    const after: Aftermath = { wakened: [], joins: [] }
    const settled = await inStep(mine, settleSteps(database, trx, after), nowUs)
    const writers = mine.filter((_, index) => isAnswer(settled[index])).map(({ lane }) => lane)
    await workOnLanes(database, trx, writers, after)
    return became.map(one => one ?? (settled.shift() as Became<unknown>))
  })
}

async function workOnLanes(
  database: Database,
  trx: Knex.Transaction,
  own: ClaimedLane[],
  { wakened, joins }: Aftermath,
): Promise<void> {
  if (own.length === 0) return
  const others = [
    ...wakened.map(({ lane }) => lane),
    ...joins.flatMap(({ older, younger }) => [older, younger]),
  ]
  const { held } = await heldLanes(database, trx, own, others)
  const lost = own.find(lane => !held.has(lane))
  if (lost) throw own.length === 1 ? leaseLost(lost) : new Apart()
  await wakeLanes(database, trx, wakened)
  await joinLanes(database, trx, joins)
}

function isAnswer(became: Became<unknown> | undefined): boolean {
  return became !== undefined && became !== 'put off' && 'answer' in became
}
