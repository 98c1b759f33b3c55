import { calendlyDelivery, calendlyStories } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

describe('the option resources, where it', () => {
  let bench: Workbench
  afterEach(() => bench.close())

  const answers: [string, () => unknown, RegExp][] = [
    ['throws', () => JSON.parse('{'), /resources threw: SyntaxError$/],
    ['names nothing by mistake', () => undefined, /array of names.*, and not undefined/],
    ['returns a text', () => 'room', /not a value of type string/],
    ['is async', async () => ['room'], /not a promise \(it cannot be async\)/],
    ['rejects', () => Promise.reject(new Error('no')), /not a promise/],
    ['returns an empty name', () => [''], /not an array with something else/],
    ['returns a name that is too long', () => ['x'.repeat(601)], /1 to 600 characters/],
    ['returns what is no text', () => [7], /not an array with something else/],
  ]
  for (const [what, resources, reason] of answers)
    it(`${what}, leaves an event that is tried again with back-off, says why, and is a dead letter in the end`, async () => {
      let nowUs = Date.now() * 1000
      // The types forbid most of these.
      const wrong = resources as () => string[]
      bench = workbench({
        resources: wrong,
        attempts: 2,
        fetchBackoff: { baseMs: 1_000, capMs: 1_000 },
        random: () => 1,
        store: { now: () => nowUs },
      })
      await bench.calendly({ event: 'invitee.created' })
      expect(await event()).to.deep.include({ status: 'pending', attempts: 1 })
      expect((await event())?.lastError).to.match(reason)
      nowUs += 900_000
      await bench.inbox.drain()
      expect(await event()).to.include({ status: 'pending', attempts: 1 })
      nowUs += 200_000
      await bench.inbox.drain()
      const end = await event()
      expect(end?.status).to.equal('dead')
      expect(end?.reason).to.match(reason)
      expect(bench.told).to.deep.equal([])
      const lines = bench.lines.filter(({ message }) => message === 'resources failed')
      expect(lines.map(line => [line.level, line.attempt, reason.test(String(line.reason))])).to.deep.equal([
        ['error', 1, true],
        ['error', 2, true],
      ])
    })

  it('is well again, gives the event its slot', async () => {
    let isWell = false
    bench = workbench({
      resources: () => (isWell ? ['x'.repeat(600)] : JSON.parse('{')),
      fetchBackoff: { baseMs: 1, capMs: 1 },
    })
    await bench.calendly({ event: 'invitee.created' })
    isWell = true
    await new Promise(resolve => setTimeout(resolve, 10))
    await bench.inbox.drain()
    expect(bench.toldInShort()).to.deep.equal(['booking.created IN1'])
    const other = { id: 'IN2', meeting: 'EV2', hosts: ['US2'] }
    await bench.deliver(calendlyDelivery({ key: signingKey, event: 'invitee.created', invitee: other }))
    await bench.inbox.drain()
    expect(bench.toldInShort().at(-1)).to.equal('booking.conflict IN2')
  })

  it('fails when an event is decided again, leaves it what it had', async () => {
    let isWell = true
    bench = workbench({ resources: () => (isWell ? ['room'] : JSON.parse('{')) })
    for (const delivery of calendlyStories['late-create']({ key: signingKey })) {
      await bench.deliver(delivery)
      await bench.inbox.drain()
    }
    isWell = false
    await bench.inbox.replay({ outcome: 'refused' })
    await bench.inbox.drain()
    expect(await event()).to.include({ status: 'done', outcome: 'refused', attempts: 0 })
    expect(bench.lines.filter(({ message }) => message === 'resources failed')).to.have.length(1)
    expect((await bench.inbox.bookings()).rows[0]?.resources).to.deep.equal(['room'])
  })

  async function event() {
    return (await bench.inbox.events()).rows[0]
  }
})
