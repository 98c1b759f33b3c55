/**
 * One process of a crash test: an Express server and/or a worker on a database that others use too.
 * It says `listening <port>` when it takes requests, `ready` when it works, and appends what its callback did to a file.
 */
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { calendly } from '@booking-webhooks/calendly'
import { bookingWebhooks } from '@booking-webhooks/express'
import { knexStore } from '@booking-webhooks/knex'
import express from 'express'
import { toldOf } from '../property/told.js'
import { dyingStore } from './dying-store.js'
import type { MemberOptions } from './members.js'
import { watchedStore } from './watched-store.js'

const options: MemberOptions = JSON.parse(process.argv[2]!)

if (options.skewMs) setClockWrong(options.skewMs)

const store = dyingStore(knexStore(options.database, options.store), options.dieAt ?? null)
const webhooks = bookingWebhooks({
  providers: [calendly({ signingKey: options.signingKey })],
  store: options.lanes ? watchedStore(store, options.lanes) : store,
  dispatch: options.works,
  leaseMs: options.leaseMs,
  pollMs: 50,
  attempts: options.attempts ?? 1_000,
  backoff: options.backoff ?? { baseMs: 20, capMs: 200 },
  fetchBackoff: options.backoff ?? { baseMs: 20, capMs: 200 },
  ...(options.poisonHost && {
    resources({ resources }) {
      if (resources.some(host => host.endsWith(options.poisonHost!))) process.kill(process.pid, 'SIGKILL')
      return [...resources]
    },
  }),
  subscribers: {
    notes: {
      takes: ['*'],
      async tell(event, { attempt, replay, signal }) {
        const note = (what: string) =>
          appendFileSync(
            options.notes,
            `${JSON.stringify({ what, at: Date.now(), pid: process.pid, event: event.id, ...toldOf(event), attempt, replay })}\n`,
          )
        note('began')
        if (options.poison && event.booking?.id.endsWith(options.poison)) process.kill(process.pid, 'SIGKILL')
        if (options.hangs && attempt === 1 && isOneOf(options.hangs.oneOf, event.id))
          hang(options.hangs.forMs)
        if (options.callbackMs) await sleep(options.callbackMs, undefined, { signal })
        note('done')
      },
    },
  },
  log: {
    debug() {},
    info() {},
    warn() {},
    error(message, fields) {
      console.error(message, JSON.stringify(fields))
      if (options.errors) appendFileSync(options.errors, `${JSON.stringify({ message, ...fields })}\n`)
    },
  },
})

if (options.receives) {
  const app = express()
  app.use('/webhooks', webhooks)
  const server = app.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address && typeof address === 'object') console.log(`listening ${address.port}`)
  })
}
await webhooks.inbox.start()
console.log('ready')
process.on('SIGTERM', () => void webhooks.close().then(() => process.exit(0)))

/** From here on `Date` is so much off, for everything in this process. */
function setClockWrong(byMs: number): void {
  const Right = Date
  globalThis.Date = class extends Right {
    constructor(...given: unknown[]) {
      // Whatever Date takes; without anything it is now.
      super(...((given.length === 0 ? [Right.now() + byMs] : given) as [number]))
    }
    static override now(): number {
      return Right.now() + byMs
    }
  } as DateConstructor
}

/** Ids are hashes, so their ends are as good as dice. */
function isOneOf(many: number, id: string): boolean {
  return Number.parseInt(id.slice(-6), 16) % many === 0
}

/** Stops everything in this process: timers, sockets, renewals of leases. */
function hang(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs)
}
