import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { type Ledger, sharedGrounds } from '../support/ledgers.js'
import { signingKey, workbench } from '../support/workbench.js'
import { type Member, post, scene, startMember, until } from './members.js'

for (const ground of sharedGrounds())
  describe(`four processes on one database (${ground.name})`, function () {
    this.timeout(60_000)
    let ledger: Ledger<string>
    let members: Member[] = []
    const stage = scene()
    after(async () => {
      await Promise.all(members.map(member => member.stop()))
      await ledger.close()
      stage.remove()
    })

    it('tell once what is delivered fifty times at once', async () => {
      ledger = await ground.open()
      members = Array.from({ length: 4 }, () =>
        startMember({
          database: ledger.database,
          signingKey,
          notes: stage.notes,
          receives: true,
          works: true,
          leaseMs: 10_000,
          callbackMs: 50,
        }),
      )
      const ports = await Promise.all(members.map(member => member.port))
      await Promise.all(members.map(member => member.ready))
      const delivery = calendlyDelivery({ key: signingKey, event: 'invitee.created' })
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => post(ports[index % 4]!, delivery)),
      )
      expect(answers).to.deep.equal(Array(50).fill(200))
      await until(() => stage.read().some(note => note.what === 'done'))
      await new Promise(resolve => setTimeout(resolve, 300))
      expect(stage.read().map(note => note.what)).to.deep.equal(['began', 'done'])

      const bench = workbench({ database: ledger.database, subscribers: {} })
      const { rows } = await bench.inbox.events()
      expect(rows).to.have.length(1)
      expect(rows[0]).to.include({ deliveries: 50, outcome: 'accepted', status: 'done' })
      await bench.close()
    })
  })
