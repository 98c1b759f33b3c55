import { knexStore } from '@booking-webhooks/knex'
import { fillEvents, fillLanes } from './fill.js'
import type { Answered, Load } from './load.js'
import { memory } from './memory.js'
import type { Plan } from './plan.js'
import { databases, deliver, endReceiver, nothingLost, type Receiver, receiver } from './receiving.js'
import type { Measured, Row } from './result.js'
import { begin, type Role } from './role.js'
import { median } from './statistics.js'

/** A full ledger may cost a fifth more than an empty one. */
const goal = 1.2
const claimsEach = 10

/** What an answer and a claim cost as the ledger grows, always beside an empty ledger in the same rounds. */
export async function growth(plan: Plan): Promise<Measured> {
  const measured: Measured = { rows: [], checks: [] }
  const client = begin<Load, Answered>('load', [])
  for (const ground of databases()) {
    const empty = await receiver('express', ground)
    const grown = await receiver('express', ground)
    await fillLanes(grown.ledger.knex, plan.laneCount)
    let stored = 0
    for (const target of plan.stored) {
      await fillEvents(grown.ledger.knex, target - stored)
      grown.sent.distinct += target - stored
      grown.sent.answered += target - stored
      stored = target
      const rounds: { empty: Costs; grown: Costs }[] = []
      for (let round = 0; round < plan.rounds; round++) {
        const name = `s${stored}r${round}`
        rounds.push({
          empty: await costsOf(empty, client, plan, name),
          grown: await costsOf(grown, client, plan, name),
        })
      }
      const { memoryMb } = await grown.role.ask('')
      const over = (pick: (round: { empty: Costs; grown: Costs }) => number) => median(rounds.map(pick))
      const common = { database: ground.name, stored, goal }
      measured.rows.push(
        {
          contestant: 'ack',
          ...common,
          p50: over(round => round.grown.ackMs),
          ratio: over(round => round.grown.ackMs / round.empty.ackMs),
          memoryMb,
        } satisfies Row,
        {
          contestant: 'claim',
          ...common,
          p50: over(round => round.grown.claimMs),
          ratio: over(round => round.grown.claimMs / round.empty.claimMs),
        } satisfies Row,
      )
    }
    for (const one of [empty, grown]) {
      measured.checks.push(...(await nothingLost(one, `growth on ${ground.name}`)))
      await endReceiver(one)
    }
  }
  await client.end()
  const held = await memory(plan)
  return { rows: [...measured.rows, ...held.rows], checks: [...measured.checks, ...held.checks] }
}

/** Medians in milliseconds. */
interface Costs {
  ackMs: number
  claimMs: number
}

async function costsOf(
  to: Receiver,
  client: Role<Load, Answered>,
  { connections, requestsEach }: Plan,
  round: string,
): Promise<Costs> {
  const load = { connections: connections[0] ?? 32, requestsEach, copies: 1, round }
  const { p50 } = await deliver(client, to, load)
  return { ackMs: p50, claimMs: await claimMs(to) }
}

/** What came in the round before is due; what is claimed stays claimed. */
async function claimMs({ ledger }: Receiver): Promise<number> {
  const store = knexStore(ledger.database)
  await store.open()
  const times: number[] = []
  for (let claim = 0; claim < claimsEach; claim++) {
    const beganAt = performance.now()
    await store.claim({ kind: 'settle', limit: 16, leaseMs: 3_600_000, owner: 'bench', subscribers: [] })
    times.push(performance.now() - beganAt)
  }
  await store.close()
  return median(times)
}
