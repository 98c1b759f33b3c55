import { setTimeout as delay } from 'node:timers/promises'
import type { Ground } from '../support/ledgers.js'
import { changesEach } from './bookings.js'
import type { Plan } from './plan.js'
import { type Queue, queues } from './queues.js'
import { databases } from './receiving.js'
import type { Check, Measured, Row } from './result.js'
import { begin } from './role.js'

/** How fast stored work is done, by one process and by several. */
export async function drain({ drained }: Plan): Promise<Measured> {
  const measured: Measured = { rows: [], checks: [] }
  for (const ground of databases())
    for (const processes of drained.processes)
      for (const queue of ground.name === 'PostgreSQL'
        ? (Object.keys(queues) as Queue[])
        : ['ours' as const]) {
        const { row, checks } = await drainOne(queue, ground, processes, drained.events)
        measured.rows.push(row)
        measured.checks.push(...checks)
      }
  return measured
}

async function drainOne(
  queue: Queue,
  ground: Ground<string>,
  processes: number,
  events: number,
): Promise<{ row: Row; checks: Check[] }> {
  const ledger = await ground.open()
  await queues[queue].fill(ledger.database, events / changesEach)
  const workers = Array.from({ length: processes }, () =>
    begin<'', number>('worker', [queue, ledger.database]),
  )
  const sum = async () => (await Promise.all(workers.map(one => one.ask('')))).reduce((a, b) => a + b, 0)
  let done = await sum()
  const beganAt = performance.now()
  const before = done
  while (done < events) {
    await delay(20)
    done = await sum()
  }
  const seconds = (performance.now() - beganAt) / 1000
  // What is told twice would come now.
  await delay(500)
  const total = await sum()
  const database = queue === 'bullmq' ? 'Redis' : ground.name
  const name = `drain: ${queue} on ${database}, ${processes} at once`
  const checks = [{ name: `${name}: each once`, ok: total === events }]
  if (queue === 'ours') {
    const [settled] = await ledger.knex(`${prefix}events`).count('* as count').where({ outcome: 'accepted' })
    const [told] = await ledger
      .knex(`${prefix}tells`)
      .count('* as count')
      .where({ status: 'done', attempts: 1 })
    const ok = Number(settled?.count) === events && Number(told?.count) === events
    checks.push({ name: `${name}: all accepted, all told at the first attempt`, ok })
  }
  await Promise.all(workers.map(worker => worker.end()))
  await ledger.close()
  return { row: { contestant: queue, database, processes, perSecond: (events - before) / seconds }, checks }
}

const prefix = 'booking_webhooks_'
