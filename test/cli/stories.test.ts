import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { acuity } from '@booking-webhooks/acuity'
import { type FakeAcuity, startFakeAcuity } from '@booking-webhooks/acuity/testing'
import { calcom } from '@booking-webhooks/calcom'
import { calendly } from '@booking-webhooks/calendly'
import type { EventRow } from '@booking-webhooks/core'
import { bookingWebhooks } from '@booking-webhooks/core/node'
import { expect } from 'chai'
import { signingKey as key, type Workbench, workbench } from '../support/workbench.js'
import { runHere } from './run-here.js'

describe('booking-webhooks send --story', () => {
  let fake: FakeAcuity
  let bench: Workbench
  let url: string
  let stop: () => Promise<void>

  beforeEach(async () => {
    fake = await startFakeAcuity()
    bench = workbench({
      // Acuity's states in between are gone unless they are asked for in time.
      dispatch: true,
      providers: [
        calendly({ signingKey: key }),
        calcom({ secret: key }),
        acuity({ apiKey: key, userId: '1', apiUrl: fake.url, requestsPerSecond: 1_000 }),
      ],
    })
    const server = createServer(bookingWebhooks(bench.inbox)).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    stop = async () => {
      await new Promise(resolve => server.close(resolve))
      await bench.close()
      await fake.close()
    }
  })
  afterEach(() => stop())

  /** Tells a story, and returns what became of it. */
  async function tell(
    provider: string,
    story: string,
  ): Promise<{ outcomes: string[]; told: string[]; rows: EventRow[] }> {
    const args = ['send', url, '--provider', provider, '--story', story, '--key', key, '--json']
    const { code, stderr } = await runHere(args, { ACUITY_API_URL: fake.url })
    expect([code, stderr]).to.deep.equal([0, ''])
    await bench.inbox.drain()
    const { rows } = await bench.inbox.events()
    return {
      rows,
      outcomes: rows.map(({ outcome }) => `${outcome}`).reverse(),
      told: bench.told.map(({ event }) => event.type.replace('booking.', '')),
    }
  }

  for (const provider of ['calendly', 'calcom', 'acuity']) {
    it(`a cancel of ${provider}'s overtakes its create`, async () => {
      const { outcomes, told } = await tell(provider, 'overtaking-cancel')
      // A poke finds the appointment as it is: there is nothing late to refuse.
      expect(outcomes).to.deep.equal(['accepted', provider === 'acuity' ? 'unchanged' : 'refused'])
      expect(told).to.deep.equal(['canceled'])
    })

    it(`${provider} sends one booking twenty times`, async () => {
      const { rows, told } = await tell(provider, 'retry-storm')
      expect(told).to.deep.equal(['created'])
      if (provider !== 'acuity') expect(rows.map(({ deliveries }) => deliveries)).to.deep.equal([20])
    })

    it(`a booking of ${provider}'s moves again and again, and one is active in the end`, async () => {
      const { told } = await tell(provider, 'reschedule-chain')
      const moves = { calendly: 3, calcom: 2, acuity: 3 }[provider] ?? 0
      expect(told).to.deep.equal(['created', ...Array.from({ length: moves }, () => 'rescheduled')])
      const { rows } = await bench.inbox.bookings()
      expect(rows.filter(({ status }) => status === 'confirmed')).to.have.length(1)
    })

    it(`two people want one slot of ${provider}'s, and the second gets it when the first cancels`, async () => {
      await tell(provider, 'slot-clash')
      // Each booking's in order; which of the two is told first, nobody promises.
      const toldOf = (name: string) =>
        bench.told
          .filter(({ event }) => event.booking?.attendee?.name?.startsWith(name))
          .map(({ event }) => event.type)
      expect(toldOf('Ann')).to.deep.equal(['booking.created', 'booking.canceled'])
      expect(toldOf('Bob')).to.deep.equal(['booking.conflict', 'booking.created'])
      const { rows } = await bench.inbox.bookings()
      expect(
        rows.map(({ status, attendee }) => [attendee?.name?.split(' ')[0], status]),
      ).to.have.deep.members([
        ['Ann', 'canceled'],
        ['Bob', 'confirmed'],
      ])
    })
  }

  it('every story that --help lists is taken', async () => {
    const { stdout } = await runHere(['send', '--help'])
    const listed = [...stdout.matchAll(/^ {2}(calendly|calcom|acuity): (.*)$/gm)]
    expect(listed.map(([, provider]) => provider)).to.deep.equal(['calendly', 'calcom', 'acuity'])
    for (const [, provider, names] of listed)
      for (const story of names.split(', ')) {
        const { rows } = await tell(provider, story)
        expect(
          rows.filter(({ outcome }) => outcome === 'unreadable'),
          `${provider} ${story}`,
        ).to.deep.equal([])
      }
  })

  it('says that Acuity has to be asked about invented appointments', async () => {
    const args = ['send', url, '--provider', 'acuity', '--key', key]
    for (const environment of [{}, { ACUITY_API_URL: url }] as Record<string, string>[]) {
      const { code, stderr } = await runHere(args, environment)
      expect(code).to.equal(0)
      expect(stderr).to.contain('ACUITY_API_URL')
    }
  })
})
