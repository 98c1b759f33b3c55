import type { Contestant } from './contestants.js'
import type { Answered, Load } from './load.js'
import type { Plan } from './plan.js'
import { databases, deliver, endReceiver, nothingLost, type Round, receiver } from './receiving.js'
import type { Measured } from './result.js'
import { begin } from './role.js'
import { median } from './statistics.js'

const contestants: Contestant[] = ['express, dispatching', 'express, slow subscribers']

/** How long an answer takes in a process that settles and tells, beside one whose subscribers take a minute each. */
export async function slow(plan: Plan): Promise<Measured> {
  const measured: Measured = { rows: [], checks: [] }
  const client = begin<Load, Answered>('load', [])
  const connections = plan.connections[0] ?? 32
  for (const ground of databases())
    for (const contestant of contestants) {
      const one = await receiver(contestant, ground)
      const rounds: Round[] = []
      for (let round = 0; round < plan.rounds; round++) {
        const load = { connections, requestsEach: plan.requestsEach, copies: 1, round: `r${round}` }
        rounds.push(await deliver(client, one, load))
      }
      measured.rows.push({
        contestant,
        database: ground.name,
        connections,
        perSecond: median(rounds.map(({ perSecond }) => perSecond)),
        p50: median(rounds.map(({ p50 }) => p50)),
        p99: median(rounds.map(({ p99 }) => p99)),
      })
      measured.checks.push(...(await nothingLost(one, `slow on ${ground.name}`)))
      await endReceiver(one)
    }
  await client.end()
  return measured
}
