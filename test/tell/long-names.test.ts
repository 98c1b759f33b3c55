import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import type { Alert } from '@booking-webhooks/core'
import { expect } from 'chai'
import { sharedGrounds } from '../support/ledgers.js'
import { shortId, signingKey, workbench } from '../support/workbench.js'

for (const ground of sharedGrounds())
  it(`a half that does not come raises its alert however long its names are (${ground.name})`, async () => {
    const ledger = await ground.open()
    const heard: Alert[] = []
    let nowMs = Date.now()
    const bench = workbench({
      database: ledger.database,
      store: { now: () => nowMs * 1000 },
      providers: [calendly({ signingKey: () => signingKey, missingHalfMs: 1 })],
      subscribers: {},
      onAlert: alert => void heard.push(alert),
    })
    try {
      const account = 'a'.repeat(250)
      const long = (letter: string) => ({ id: letter.repeat(130), meeting: `EV${letter}` })
      for (const [old, next] of [
        ['A', 'B'],
        ['C', 'D'],
      ] as const) {
        const delivery = calendlyDelivery({
          key: signingKey,
          event: 'invitee.canceled',
          invitee: { ...long(old), newInvitee: long(next) },
        })
        const { status } = await bench.deliver({ ...delivery, path: `/calendly/${account}` })
        expect(status).to.equal(200)
      }
      await bench.inbox.drain()
      nowMs += 1_000
      await bench.inbox.drain()
      expect(heard.map(({ kind }) => kind)).to.deep.equal(['alert', 'alert'])
      expect(heard.map(({ fields }) => shortId(String(fields.booking))).sort()).to.deep.equal(
        ['B', 'D'].map(letter => letter.repeat(130)),
      )
      expect(heard.every(({ subject }) => /^missing:calendly\/[0-9a-f]{64}$/.test(subject))).to.equal(true)
      expect(new Set(heard.map(({ subject }) => subject)).size).to.equal(2)
    } finally {
      await bench.close()
      await ledger.close()
    }
  })
