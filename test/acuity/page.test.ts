import { type FakeAcuity, startFakeAcuity } from '@booking-webhooks/acuity/testing'
import { expect } from 'chai'
import { exampleOf } from '../readme/example.js'
import { workbench } from '../support/workbench.js'
import { authorization } from './studio.js'

describe('acuity: the page about its side', () => {
  let fake: FakeAcuity
  let example: Awaited<ReturnType<typeof exampleOf>>
  before(async function () {
    this.timeout(10_000)
    fake = await startFakeAcuity({ authorization })
    example = await exampleOf('docs/acuity.md', {
      ACUITY_API_KEY: 'test-key-1',
      ACUITY_USER_ID: '1000001',
      ACUITY_API_URL: fake.url,
    })
  })
  after(() => fake.close())

  it('makes the webhooks, and takes the old ones away', async () => {
    const old = 'https://old.example.com/'
    fake.webhooks.push({ id: 1, event: 'appointment.changed', target: old, status: 'active' })
    await example.subscribe('https://hooks.example.com/acuity', [old])
    expect(fake.webhooks.map(one => `${one.event} ${one.target}`)).to.deep.equal([
      'appointment.changed https://hooks.example.com/acuity',
    ])
  })

  it('tells what no webhook told', async () => {
    const bench = workbench({ providers: [example.provider] })
    try {
      const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 19)
      const inAMinute = new Date(Date.now() + 60_000).toISOString().slice(0, 19)
      fake.put({ id: 7, datetime: `${inAWeek}+0000`, datetimeCreated: `${inAMinute}+0000` })
      const counts = { lists: 1, appointments: 1, missing: 0 }
      expect(await example.lookAgain(bench.inbox)).to.deep.equal({ ...counts, differing: 1 })
      await bench.inbox.drain()
      expect(await example.lookAgain(bench.inbox)).to.deep.equal({ ...counts, differing: 0 })
      expect(bench.toldInShort()).to.deep.equal(['booking.created 7'])
    } finally {
      await bench.close()
    }
  })
})
