import { setTimeout as delay } from 'node:timers/promises'
import { acuity } from '@booking-webhooks/acuity'
import { acuityDelivery, type FakeAcuity, startFakeAcuity } from '@booking-webhooks/acuity/testing'
import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import type { Adapter } from '@booking-webhooks/core'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

const authorization = 'Basic MTAwMDAwMTp0ZXN0LWtleS0x'
const concurrency = 3

describe('fetches from a provider', () => {
  let fake: FakeAcuity
  let bench: Workbench
  let asked = 0
  let asking = 0
  let most = 0

  beforeEach(async () => {
    fake = await startFakeAcuity({ authorization })
    asked = 0
    asking = 0
    most = 0
    bench = workbench({
      concurrency,
      dispatch: true,
      providers: [counted(), calendly({ signingKey })],
    })
  })
  afterEach(async () => {
    await bench.close()
    await fake.close()
  })

  function counted(): Adapter {
    const adapter = acuity({
      apiKey: 'test-key-1',
      userId: '1000001',
      apiUrl: fake.url,
      since: '2027-02-01T00:00:00Z',
      requestsPerSecond: 10_000,
    })
    return {
      ...adapter,
      async fetch(...args) {
        asked += 1
        asking += 1
        most = Math.max(most, asking)
        try {
          return (await adapter.fetch?.(...args)) ?? null
        } finally {
          asking -= 1
        }
      },
    }
  }

  async function poke(appointments: number, delayMs: number): Promise<void> {
    for (let id = 1; id <= appointments; id += 1) {
      fake.answer(id, { delayMs })
      const appointment = fake.put({ id })
      await bench.deliver(acuityDelivery({ key: 'test-key-1', action: 'scheduled', appointment }))
    }
  }

  const isTold = async (count: number): Promise<void> => {
    while (bench.told.length < count) await delay(5)
  }

  it('are as many at once as `concurrency` allows, and all are made', async () => {
    await poke(12, 30)
    await isTold(12)
    expect(most).to.equal(concurrency)
    expect(new Set(bench.told.map(({ event }) => event.booking?.id)).size).to.equal(12)
  })

  it('that wait for their turn are not begun once the inbox closes', async () => {
    await poke(12, 1_000)
    while (asking < concurrency) await delay(5)
    await bench.inbox.close()
    expect(asked).to.equal(concurrency)
  })

  it('that hang keep what needs none from nobody', async () => {
    await poke(12, 1_000)
    while (asking < concurrency) await delay(5)
    await bench.deliver(calendlyDelivery({ key: signingKey, event: 'invitee.created' }))
    await isTold(1)
    expect(bench.told.map(({ event }) => event.provider)).to.deep.equal(['calendly'])
  })

  it('that hang keep no booking of another provider waiting, however many wait for them, and none is counted as failed', async () => {
    await poke(100, 3_000)
    while (asking < concurrency) await delay(5)
    await delay(300)
    const began = performance.now()
    await bench.deliver(calendlyDelivery({ key: signingKey, event: 'invitee.created' }))
    await isTold(1)
    expect(performance.now() - began).to.be.below(1_500)
    expect(bench.told.map(({ event }) => event.provider)).to.deep.equal(['calendly'])
    const ledger = new Database(bench.database, { readonly: true })
    expect(ledger.prepare('SELECT MAX(failures) FROM booking_webhooks_lanes').pluck().get()).to.equal(0)
    ledger.close()
  })

  it('are all made by one drain, by a clock that stands still', async () => {
    await bench.close()
    const nowUs = Date.now() * 1000
    bench = workbench({ concurrency, providers: [counted()], store: { now: () => nowUs } })
    await poke(40, 5)
    await bench.inbox.drain()
    expect(bench.told).to.have.length(40)
    expect(most).to.equal(concurrency)
  })
})
