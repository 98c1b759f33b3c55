import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { sharedGrounds } from '../support/ledgers.js'
import { shortId, signingKey, workbench } from '../support/workbench.js'
import { scene, startMember, until } from './members.js'

const bookings = 40

for (const ground of sharedGrounds())
  describe(`on ${ground.name}, of three workers one an hour ahead and one an hour behind`, function () {
    this.timeout(90_000)

    it('nothing runs twice or never', async () => {
      const stage = scene()
      const ledger = await ground.open()
      const bench = workbench({ database: ledger.database, subscribers: {} })
      const worker = (skewMs: number) =>
        startMember({
          database: ledger.database,
          signingKey,
          notes: stage.notes,
          receives: false,
          works: true,
          leaseMs: 20_000,
          callbackMs: 20,
          skewMs,
        })
      const workers = [worker(0), worker(3_600_000), worker(-3_600_000)]
      try {
        await Promise.all(workers.map(({ ready }) => ready))
        for (let number = 0; number < bookings; number += 1) {
          const invitee = { id: `IN${number}`, meeting: `EV${number}`, hosts: [`US${number}`] }
          await bench.deliver(calendlyDelivery({ key: signingKey, event: 'invitee.created', invitee }))
        }
        await until(async () => (await bench.inbox.events({ status: 'pending' })).rows.length === 0, 60_000)
        const done = stage.read().filter(({ what }) => what === 'done')
        expect(done.map(({ booking }) => shortId(booking)).sort()).to.deep.equal(
          Array.from({ length: bookings }, (_, number) => `IN${number}`).sort(),
        )
      } finally {
        await Promise.all(workers.map(one => one.stop()))
        await bench.close()
        await ledger.close()
        stage.remove()
      }
    })
  })
