import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { type Contestant, contestants } from './contestants.js'
import { play } from './role.js'

const [contestant, database] = process.argv.slice(2) as [Contestant, string]
const server = await contestants[contestant](database)
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** Where a receiving process listens, and what it has used: resident memory, and since it began time of the processor and of its event loop. */
export interface Receiving {
  url: string
  memoryMb: number
  cpuUs: number
  loopUs: number
}

play<'', Receiving>(async () => {
  const { user, system } = process.cpuUsage()
  const { active } = performance.eventLoopUtilization()
  const memoryMb = Math.round(process.memoryUsage.rss() / 2 ** 20)
  return { url, memoryMb, cpuUs: user + system, loopUs: active * 1000 }
})
