/**
 * One process with a transactional subscriber that writes an entry for each event, and dies, as by kill -9, right after its nth write.
 * It exits by itself once nothing is left to tell.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { calendly } from '@booking-webhooks/calendly'
import { createInbox } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'

const { database, signingKey, diesAfter } = JSON.parse(process.argv[2]!)
let writes = 0

const inbox = createInbox({
  providers: [calendly({ signingKey })],
  store: knexStore(database as string),
  dispatch: false,
  leaseMs: 1_000,
  backoff: { baseMs: 1, capMs: 5 },
  concurrency: 2,
  log: { debug() {}, info() {}, warn() {}, error() {} },
  subscribers: {
    entries: {
      transactional: true,
      on: {
        'booking.created': async ({ id }, { trx, attempt }) => {
          await trx('entries').insert({ event: id, attempt })
          writes += 1
          if (writes === diesAfter) process.kill(process.pid, 'SIGKILL')
        },
        'booking.rescheduled': null,
        'booking.conflict': null,
      },
    },
  },
})

while ((await inbox.health()).backlog.tells.pending > 0) {
  await inbox.drain()
  await sleep(20)
}
await inbox.close()
