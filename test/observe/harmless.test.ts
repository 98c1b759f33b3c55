import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import type { Observer } from '@booking-webhooks/core'
import { expect } from 'chai'
import { type Workbench, workbench } from '../support/workbench.js'

const fails = (): never => {
  throw new RangeError('not for the log')
}
const rejects = async (): Promise<never> => fails()

/** All that an observer can do wrong; `during` is given whatever it likes to make of the work. */
const observers: Record<string, Observer> = {
  'throws in every method': {
    during: fails,
    answered: fails,
    committed: fails,
    settled: fails,
    attempted: fails,
    watch: fails,
  },
  'rejects in every method': {
    during: rejects,
    answered: rejects,
    committed: rejects,
    settled: rejects,
    attempted: rejects,
    watch: () => fails,
  },
  'throws after the work': {
    async during(_, work) {
      await work('00-not-a-traceparent')
      return fails()
    },
  },
  'forgets the work': { during: async () => undefined as never },
  'does the work twice': {
    async during(_, work) {
      await work(null)
      return work(null)
    },
  },
  'never ends': {
    during(_, work) {
      void work(null)
      return new Promise(() => {})
    },
  },
  'takes errors for successes': { during: async (_, work) => work(null).catch(() => undefined as never) },
}

describe('an observer', () => {
  let bench: Workbench
  const unhandled: unknown[] = []
  const listen = (reason: unknown) => void unhandled.push(reason)
  before(() => process.on('unhandledRejection', listen))
  after(() => process.off('unhandledRejection', listen))
  afterEach(() => bench.close())

  for (const [what, observe] of Object.entries(observers))
    it(`that ${what} changes nothing`, async () => {
      let runs = 0
      bench = workbench({
        observe,
        subscribers: {
          memory: {
            takes: ['*'],
            tell() {
              runs += 1
              if (runs === 1) throw new Error('down')
            },
          },
        },
      })
      expect((await bench.calendly({ event: 'invitee.created' })).status).to.equal(200)
      const forged = calendlyDelivery({ key: 'another-key-of-someone', event: 'invitee.created' })
      expect((await bench.deliver(forged)).status).to.equal(401)
      for (let round = 0; round < 100 && runs < 2; round += 1) {
        await new Promise(resolve => setTimeout(resolve, 5))
        await bench.inbox.drain()
      }
      const { rows } = await bench.inbox.events()
      expect(rows.map(({ status, deliveries }) => [status, deliveries])).to.deep.equal([['done', 1]])
      expect(rows[0]!.tells[0]).to.include({ status: 'done', attempts: 2 })
      expect(unhandled).to.deep.equal([])
    })

  it('that fails is named once for each method, without what it said', async () => {
    bench = workbench({ observe: observers['throws in every method'] })
    await bench.calendly({ event: 'invitee.created' })
    await bench.calendly({ event: 'invitee.canceled' })
    const said = bench.lines.filter(({ message }) => message.startsWith('the observer failed'))
    expect(said.map(({ method, reason }) => `${method} ${reason}`).sort()).to.deep.equal(
      ['answered', 'attempted', 'committed', 'during', 'settled', 'watch'].map(name => `${name} RangeError`),
    )
  })
})
