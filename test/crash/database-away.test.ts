import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { sharedGrounds } from '../support/ledgers.js'
import { signingKey, workbench } from '../support/workbench.js'
import { until } from './members.js'
import { roadTo } from './road.js'

const book = (number: number) =>
  calendlyDelivery({
    key: signingKey,
    event: 'invitee.created',
    invitee: { id: `IN${number}`, meeting: `EV${number}`, hosts: [`US${number}`] },
  })

for (const ground of sharedGrounds().filter(({ name }) => name !== 'SQLite'))
  describe(`when ${ground.name} goes away and comes back`, function () {
    this.timeout(90_000)

    it('nothing is lost, and the app goes on by itself', async () => {
      const ledger = await ground.open()
      const road = await roadTo(new URL(ledger.database))
      const bench = workbench({ database: road.url, dispatch: true, pollMs: 100, leaseMs: 2_000 })
      try {
        expect((await bench.deliver(book(1))).status).to.equal(200)
        await until(() => bench.told.length === 1)

        road.cut()
        const refused = await bench.deliver(book(2))
        expect(refused.status, JSON.stringify(bench.lines.at(-1))).to.equal(503)
        expect(refused.headers).to.have.property('retry-after')

        road.mend()
        await until(async () => (await bench.deliver(book(2))).status === 200, 30_000)
        await until(() => bench.told.length === 2, 60_000)
        expect(bench.toldInShort()).to.deep.equal(['booking.created IN1', 'booking.created IN2'])
        await until(async () => (await bench.inbox.events({ status: 'done' })).rows.length === 2)
      } finally {
        road.mend()
        await bench.close()
        await road.close()
        await ledger.close()
      }
    })
  })

const [server] = sharedGrounds().filter(({ name }) => name !== 'SQLite')
if (server)
  describe(`when a connection to ${server.name} dies without a word`, function () {
    this.timeout(90_000)

    it('what is to be done goes on without it after half a minute', async () => {
      const ledger = await server.open()
      const road = await roadTo(new URL(ledger.database))
      const bench = workbench({ database: road.url, dispatch: true, pollMs: 100, leaseMs: 2_000 })
      try {
        expect((await bench.deliver(book(1))).status).to.equal(200)
        await until(() => bench.told.length === 1)
        await until(async () => (await bench.inbox.events({ status: 'done' })).rows.length === 1)

        road.silence('COMMIT')
        for (const number of [2, 3]) expect((await bench.deliver(book(number))).status).to.equal(200)
        await until(() => bench.told.length === 3, 60_000)
        expect(new Set(bench.toldInShort())).to.deep.equal(
          new Set(['booking.created IN1', 'booking.created IN2', 'booking.created IN3']),
        )
        expect(
          bench.lines.some(({ reason }) => String(reason).includes('has not answered for 30000 ms')),
        ).to.equal(true)
      } finally {
        await bench.close()
        await road.close()
        await ledger.close()
      }
    })
  })
