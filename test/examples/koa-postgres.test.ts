import { calendlyStories } from '@booking-webhooks/calendly/testing'
import { post, until } from '../crash/members.js'
import { sharedGrounds } from '../support/ledgers.js'
import { freePort, run } from './running.js'

const grounds = sharedGrounds()
const ground = grounds.find(({ name }) => name === 'PostgreSQL') ?? grounds[0]

describe('the example koa-postgres', () => {
  if (ground.name !== 'PostgreSQL') it.skip('PostgreSQL is not covered: TEST_POSTGRES_URL is not set')

  it(`receives while no worker is there, and tells once one is (${ground.name})`, async () => {
    const ledger = await ground.open()
    const port = await freePort()
    const environment = {
      CALENDLY_SIGNING_KEY: 'a-signing-key-for-tests',
      DATABASE_URL: ledger.database,
      PORT: String(port),
    }
    const receiver = run('koa-postgres/receiver.js', environment)
    try {
      await receiver.says('listening')
      const [booked, ...moved] = calendlyStories.reschedule({ key: 'a-signing-key-for-tests' })
      // As a provider does, while the database is busy with being set up.
      await until(async () => (await post(port, booked!)) === 200)
      const worker = run('koa-postgres/worker.js', environment)
      try {
        await worker.says('welcome')
        for (const delivery of moved) await until(async () => (await post(port, delivery)) === 200)
        await worker.says('becomes')
        await worker.says('a new time')
      } finally {
        await worker.stop()
      }
    } finally {
      await receiver.stop()
      await ledger.close()
    }
  }).timeout(60_000)
})
