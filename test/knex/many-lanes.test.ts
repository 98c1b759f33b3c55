import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import { grounds, type Ledger } from '../support/ledgers.js'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

/** More than 16 share what they may bring, and 17 share it in no whole bytes. */
const lanes = 17

for (const { name, open } of grounds())
  describe(`the pending tells of ${lanes} lanes on ${name}`, function () {
    this.timeout(60_000)
    let ledger: Ledger
    let bench: Workbench
    beforeEach(async () => {
      ledger = await open()
      bench = workbench({
        database: ledger.knex,
        backoff: { baseMs: 60_000, capMs: 60_000 },
        random: () => 1,
        subscribers: { calendar: { takes: ['*'], tell: () => Promise.reject(new Error('Not now.')) } },
      })
    })
    afterEach(async () => {
      await bench.close()
      await ledger.close()
    })

    it('are read together', async () => {
      for (let number = 1; number <= lanes; number += 1)
        await bench.deliver(
          calendlyDelivery({
            key: signingKey,
            event: 'invitee.created',
            invitee: { id: `IN${number}`, meeting: `EV${number}`, hosts: [`US${number}`] },
          }),
        )
      await bench.inbox.drain()
      await ledger.knex('booking_webhooks_lanes').where({ kind: 'tell' }).update({ due_us: 0 })
      const store = knexStore(ledger.knex)
      const claimed = await store.claim({
        kind: 'tell',
        limit: lanes,
        leaseMs: 60_000,
        owner: 'a test',
        subscribers: ['calendar'],
      })
      expect(claimed).to.have.length(lanes)
      let queries = 0
      // PostgreSQL's hints go out on the same Knex, a moment after what they tell of.
      ledger.knex.on('query', ({ sql }: { sql: string }) => {
        if (sql.includes('booking_webhooks_tells')) queries += 1
      })
      const tells = await Promise.all(claimed.map(lane => store.pendingTells(lane, 10)))
      expect(tells.map(({ length }) => length)).to.deep.equal(Array(lanes).fill(1))
      expect(queries).to.equal(1)
    })
  })
