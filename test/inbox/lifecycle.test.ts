import { calendlyDelivery, calendlyStories } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { shortId, signingKey, type Workbench, workbench } from '../support/workbench.js'

describe('an inbox', () => {
  let bench: Workbench
  afterEach(() => bench.close())

  it('tells a signed booking once, however often it is delivered', async () => {
    bench = workbench()
    const delivery = calendlyDelivery({ key: signingKey, event: 'invitee.created' })
    for (let time = 0; time < 3; time += 1) expect((await bench.deliver(delivery)).status).to.equal(200)
    await bench.inbox.drain()
    expect(bench.toldInShort()).to.deep.equal(['booking.created IN1'])
    const { rows } = await bench.inbox.events()
    expect(rows).to.have.length(1)
    expect(rows[0]).to.include({
      deliveries: 3,
      outcome: 'accepted',
      status: 'done',
      type: 'booking.created',
    })
    expect(rows[0]!.tells).to.deep.equal([
      { subscriber: 'memory', status: 'done', attempts: 1, lastError: null },
    ])
  })

  it('keeps a booking canceled whose cancel overtook its create, and says why', async () => {
    bench = workbench()
    const [cancel, create] = calendlyStories['late-create']({ key: signingKey })
    for (const delivery of [cancel!, create!]) {
      await bench.deliver(delivery)
      await bench.inbox.drain()
    }
    expect(bench.toldInShort()).to.deep.equal(['booking.canceled IN1'])
    const { rows } = await bench.inbox.bookings()
    expect(rows.map(row => row.status)).to.deep.equal(['canceled'])
    const [late] = (await bench.inbox.events()).rows
    expect(late).to.include({ outcome: 'refused', type: 'booking.created' })
    expect(late!.reason).to.be.a('string').that.is.not.empty
    expect(bench.lines.find(line => line.message === 'refused')).to.include({
      level: 'warn',
      event: late!.id,
    })
  })

  for (const story of ['reschedule', 'reschedule-reversed'] as const)
    it(`tells a ${story} as one event`, async () => {
      bench = workbench()
      for (const delivery of calendlyStories[story]({ key: signingKey })) {
        await bench.deliver(delivery)
        await bench.inbox.drain()
      }
      expect(bench.toldInShort()).to.deep.equal(['booking.created IN1', 'booking.rescheduled IN1b'])
      const { event } = bench.told[1]!
      expect(shortId(event.previous!.bookingId)).to.equal('IN1')
      expect(event.previous!.startsAt).to.equal(bench.told[0]!.event.booking!.startsAt)
      const { rows } = await bench.inbox.bookings()
      expect(rows.map(row => `${shortId(row.id)} ${row.status}`).sort()).to.deep.equal([
        'IN1 rescheduled',
        'IN1b confirmed',
      ])
      expect((await bench.inbox.events()).rows.map(row => row.outcome).sort()).to.deep.equal([
        'accepted',
        'accepted',
        'superseded',
      ])
    })

  it('holds a slot for one, and gives it to the next when the first cancels', async () => {
    bench = workbench()
    for (const delivery of calendlyStories['double-booking']({ key: signingKey })) {
      await bench.deliver(delivery)
      await bench.inbox.drain()
    }
    expect(bench.toldInShort()).to.deep.equal([
      'booking.created IN1',
      'booking.conflict IN2',
      'booking.canceled IN1',
      'booking.created IN2',
    ])
    const conflict = bench.told[1]!.event
    expect(conflict.conflict).to.deep.include({ wanted: 'booking.created' })
    expect(conflict.conflict!.with.map(shortId)).to.deep.equal(['EV1'])
    expect(conflict.booking!.status).to.equal('conflict')
    expect(bench.told[3]!.event.id).not.to.equal(conflict.id)
    expect(bench.told[3]!.event.booking!.status).to.equal('confirmed')
  })

  it('shows a waiting conflict as waiting', async () => {
    bench = workbench()
    const [ann, bob] = calendlyStories['double-booking']({ key: signingKey })
    await bench.deliver(ann!)
    await bench.deliver(bob!)
    await bench.inbox.drain()
    const { rows } = await bench.inbox.events()
    expect(rows.map(row => [row.type, row.outcome, row.status])).to.deep.include.members([
      ['booking.created', 'conflict', 'waiting'],
      ['booking.created', 'accepted', 'done'],
    ])
    expect((await bench.inbox.bookings()).rows.map(row => row.status).sort()).to.deep.equal([
      'confirmed',
      'conflict',
    ])
  })

  it('ignores what is about no booking unless a subscriber takes it', async () => {
    bench = workbench({ on: { 'booking.created': null } })
    for (const delivery of calendlyStories.unknown({ key: signingKey })) await bench.deliver(delivery)
    await bench.inbox.drain()
    expect((await bench.inbox.events()).rows[0]).to.include({
      outcome: 'ignored',
      type: 'provider.meeting_poll.created',
    })
  })

  it('keeps what it cannot read', async () => {
    bench = workbench()
    const delivery = calendlyDelivery({ key: signingKey, event: 'invitee.created', payload: { uri: null } })
    expect((await bench.deliver(delivery)).status).to.equal(200)
    await bench.inbox.drain()
    expect((await bench.inbox.events()).rows[0]).to.include({ outcome: 'unreadable', status: 'done' })
    expect(bench.told).to.be.empty
  })

  it('refuses what is not signed, and keeps no row of it', async () => {
    bench = workbench()
    const delivery = calendlyDelivery({ key: 'another-key-of-someone', event: 'invitee.created' })
    expect(await bench.deliver(delivery)).to.deep.equal({ status: 401, headers: {}, body: '' })
    expect((await bench.inbox.events()).rows).to.be.empty
  })

  it('tells two subscribers each on its own', async () => {
    const told: string[] = []
    let isDown = true
    bench = workbench({
      subscribers: {
        calendar: {
          takes: ['*'],
          tell: event => {
            if (isDown) throw new Error('down')
            told.push(`calendar ${event.type}`)
          },
        },
        mail: { takes: ['*'], tell: event => void told.push(`mail ${event.type}`) },
      },
      attempts: 100,
    })
    await bench.calendly({ event: 'invitee.created' })
    expect(told).to.deep.equal(['mail booking.created'])
    expect((await bench.inbox.events()).rows[0]).to.include({ status: 'pending', outcome: 'accepted' })
    isDown = false
    await new Promise(resolve => setTimeout(resolve, 20))
    await bench.inbox.drain()
    expect(told).to.deep.equal(['mail booking.created', 'calendar booking.created'])
  })
})
