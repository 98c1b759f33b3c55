import type { Contestant } from './contestants.js'
import type { Answered, Load } from './load.js'
import type { Plan } from './plan.js'
import {
  databases,
  deliver,
  endReceiver,
  nothingLost,
  type Receiver,
  type Round,
  receiver,
} from './receiving.js'
import type { Measured, Row } from './result.js'
import { begin } from './role.js'
import { median } from './statistics.js'

const contestants: Contestant[] = ['ceiling', 'hand', 'express', 'koa']

/** Each answer should cost at most a tenth more than one for which nothing is stored. */
const goal = 0.9

/** How fast deliveries are answered; `copies` of each make it a storm of retries. */
export async function ack(plan: Plan, { copies, name }: { copies: number; name: string }): Promise<Measured> {
  const measured: Measured = { rows: [], checks: [] }
  const client = begin<Load, Answered>('load', [])
  for (const ground of databases()) {
    const receivers = await Promise.all(contestants.map(contestant => receiver(contestant, ground)))
    const load = (round: string, connections: number) => ({
      requestsEach: plan.requests / connections,
      connections,
      copies,
      round,
    })
    for (const one of receivers)
      for (let round = 0; round < plan.warmUps; round++) await deliver(client, one, load(`warm${round}`, 32))
    for (const connections of plan.connections) {
      const rounds: Round[][] = []
      for (let round = 0; round < plan.rounds; round++) {
        const answers: Round[] = []
        for (const one of receivers)
          answers.push(await deliver(client, one, load(`c${connections}r${round}`, connections)))
        rounds.push(answers)
      }
      measured.rows.push(...receivers.map((one, at) => rowOf(one, at, rounds, ground.name, connections)))
    }
    for (const one of receivers) {
      measured.checks.push(...(await nothingLost(one, `${name} on ${ground.name}`)))
      await endReceiver(one)
    }
  }
  await client.end()
  return measured
}

/** Ratios are taken within a round, as the machine may be busier in another one. */
function rowOf(
  { contestant }: Receiver,
  at: number,
  rounds: Round[][],
  database: string,
  connections: number,
): Row {
  const over = (pick: (answers: Round[]) => number) => median(rounds.map(pick))
  const beside = (name: Contestant) =>
    over(answers => answers[at]!.perSecond / answers[contestants.indexOf(name)]!.perSecond)
  return {
    contestant,
    database,
    connections,
    perSecond: over(answers => answers[at]!.perSecond),
    p50: over(answers => answers[at]!.p50),
    p99: over(answers => answers[at]!.p99),
    cpuUs: over(answers => answers[at]!.cpuUs),
    loopUs: over(answers => answers[at]!.loopUs),
    ratio: beside('ceiling'),
    ...(contestant === 'express' || contestant === 'koa' ? { goal, timesHand: beside('hand') } : {}),
  }
}
