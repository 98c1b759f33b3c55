/**
 * One process of a test of telling: a worker whose one subscriber posts to a target. What onAlert hears it appends to a file.
 * It says `ready` when it works.
 */
import { appendFileSync } from 'node:fs'
import { calendly } from '@booking-webhooks/calendly'
import { createInbox, type Store } from '@booking-webhooks/core'
import { forward } from '@booking-webhooks/forward'
import { knexStore } from '@booking-webhooks/knex'
import type { WorkerOptions } from './workers.js'

const options: WorkerOptions = JSON.parse(process.argv[2]!)

const store = knexStore(options.database)
const inbox = createInbox({
  providers: [calendly({ signingKey: options.signingKey })],
  store: options.diesBeforeHandOver ? dying(store) : store,
  pollMs: 20,
  random: () => 1,
  subscribers: {
    target: {
      ...forward({ url: options.target, secret: options.secret }),
      attempts: 1_000,
      backoff: { baseMs: 50, capMs: 800 },
    },
  },
  onAlert: ({ kind, consecutiveFailures }) =>
    appendFileSync(options.alerts, `${JSON.stringify({ kind, consecutiveFailures, pid: process.pid })}\n`),
  log: { debug() {}, info() {}, warn() {}, error() {} },
})

/** Dies, as by kill -9, where an alert is raised and about to be handed over. */
function dying(store: Store): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      if (name !== 'claimAlerts') return Reflect.get(target, name, receiver)
      return async () => {
        const { alertsToHandOver } = await target.health()
        if (alertsToHandOver > 0) process.kill(process.pid, 'SIGKILL')
        return []
      }
    },
  })
}

await inbox.start()
console.log('ready')
process.on('SIGTERM', () => void inbox.close().then(() => process.exit(0)))
