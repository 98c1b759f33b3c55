import { setTimeout as sleep } from 'node:timers/promises'
import { startFakeAcuity } from '@booking-webhooks/acuity/testing'
import { expect } from 'chai'
import { authorization, id, type Studio, studio } from './studio.js'

describe('pokes of one appointment at the same time', () => {
  let salon: Studio
  afterEach(() => salon.end())

  it('are fetched anew where they come while a fetch is under way: what changed after it is not lost', async () => {
    salon = await studio()
    await salon.settle('scheduled', { datetime: '2027-03-10T10:15:00-0800' })
    salon.fake.answer(id, { delayMs: 150 })
    await salon.poke('rescheduled', { datetime: '2027-03-17T10:15:00-0700' })
    await salon.poke('rescheduled')
    const working = salon.inbox.drain()
    while (salon.fake.calls.length < 2) await sleep(5)
    await salon.poke('rescheduled', { datetime: '2027-03-18T10:15:00-0700' })
    await working
    await salon.inbox.drain()
    expect(salon.heard()).to.deep.equal([
      'booking.created 2027-03-10T18:15',
      'booking.rescheduled 2027-03-17T17:15',
      'booking.rescheduled 2027-03-18T17:15',
    ])
    expect(salon.fake.calls).to.have.length(3)
  })

  it('are settled one after another, whoever works: a cancel that two workers hear of is told once', async () => {
    const fake = await startFakeAcuity({ authorization })
    salon = await studio({ fake })
    const other = await studio({ fake, database: salon.database })
    try {
      await salon.settle('scheduled')
      await Promise.all([
        salon.poke('canceled', { canceled: true }),
        other.poke('changed', { canceled: true }),
      ])
      await Promise.all([salon.inbox.drain(), other.inbox.drain()])
      await Promise.all([salon.inbox.drain(), other.inbox.drain()])
      expect([...salon.heard(), ...other.heard()].sort()).to.deep.equal([
        'booking.canceled 2027-03-10T18:15',
        'booking.created 2027-03-10T18:15',
      ])
      expect(new Set(await salon.outcomes())).to.deep.equal(new Set(['accepted', 'unchanged']))
    } finally {
      await other.end()
      await fake.close()
    }
  })

  it('are not settled by a worker that lost its lane: an old answer never overwrites a newer one', async () => {
    const fake = await startFakeAcuity({ authorization })
    salon = await studio({ fake })
    // It renews in real time, long after the store's clock has gone past its lease: as after a stall.
    const stalled = await studio({ fake, database: salon.database, leaseMs: 60_000 })
    try {
      await salon.settle('scheduled')
      fake.answer(id, { delayMs: 300 })
      await stalled.poke('rescheduled', { datetime: '2027-03-17T10:15:00-0700' })
      const waking = stalled.inbox.drain()
      while (fake.calls.length < 2) await sleep(5)
      salon.clock.pass(61_000)
      await salon.settle('rescheduled', { datetime: '2027-03-18T10:15:00-0700' })
      // What came back through an expired lease is put off first.
      salon.clock.pass(1)
      await salon.inbox.drain()
      await waking
      expect(salon.heard().concat(stalled.heard())).to.deep.equal([
        'booking.created 2027-03-10T18:15',
        'booking.rescheduled 2027-03-18T17:15',
      ])
      expect((await salon.booking())?.startsAt).to.contain('2027-03-18T17:15')
      expect(stalled.lines.map(line => line.message)).to.include('lease lost')
    } finally {
      await stalled.end()
      await fake.close()
    }
  })
})
