import type { Answered, Load } from './load.js'
import type { Plan } from './plan.js'
import { databases, deliver, endReceiver, nothingLost, receiver } from './receiving.js'
import type { Measured } from './result.js'
import { begin } from './role.js'

const connections = 32
/** What a process holds that answers the same again and again must stay within a fifth. */
const goal = 1.2

/** How much a receiving process holds as more and more is delivered to it, beside what it held at first: on SQLite, which runs within it. */
export async function memory({ delivered }: Plan): Promise<Measured> {
  const measured: Measured = { rows: [], checks: [] }
  const [sqlite] = databases()
  const client = begin<Load, Answered>('load', [])
  const one = await receiver('express', sqlite!)
  let stored = 0
  let firstMb = 0
  while (stored < delivered.all) {
    const requestsEach = delivered.atOnce / connections
    await deliver(client, one, { connections, requestsEach, copies: 1, round: `m${stored}` })
    stored += delivered.atOnce
    const { memoryMb } = await one.role.ask('')
    firstMb ||= memoryMb
    measured.rows.push({
      contestant: 'memory',
      database: sqlite!.name,
      stored,
      ratio: memoryMb / firstMb,
      goal,
      memoryMb,
    })
  }
  measured.checks.push(...(await nothingLost(one, `memory on ${sqlite!.name}`)))
  await endReceiver(one)
  await client.end()
  return measured
}
