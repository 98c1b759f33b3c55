import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import { anEvent } from './support/an-event.js'
import { backDoor, eachDatabase } from './support/databases.js'

const nowUs = 1_767_258_000_000_001
const dayUs = 86_400_000_000

eachDatabase((name, make) => {
  it(`idle lanes are removed on ${name} a week after they were made, and made again with a later fence`, async function () {
    this.timeout(60_000)
    const database = await make()
    let clock = nowUs
    const store = knexStore(database.url, { now: () => clock })
    await store.open()
    const back = backDoor(database.url)
    const lanes = async () => (await back('booking_webhooks_lanes').orderBy('lane')).map(row => row.lane)
    const claim = () =>
      store.claim({ kind: 'settle', limit: 10, leaseMs: 1000, owner: 'worker', subscribers: [] })
    const [idle, pending] = [anEvent('idle'), anEvent('pending')]
    await store.record([idle, pending])
    const claimed = await claim()
    await back('booking_webhooks_events').where({ id: idle.id }).update({ status: 'settled' })
    for (const lane of claimed) await store.release(lane, { to: 'idle' })
    clock = nowUs + 6 * dayUs
    await store.sweep()
    expect(await lanes()).to.have.members([idle.lane, pending.lane])
    clock = nowUs + 8 * dayUs
    await store.sweep()
    expect(await lanes()).to.deep.equal([pending.lane])
    await store.record([anEvent('again', idle.lane)])
    const fences = (all: typeof claimed) => all.find(({ key }) => key === idle.lane)?.fence ?? 0
    expect(fences(await claim())).to.be.greaterThan(fences(claimed))
    await back.destroy()
    await store.close()
    await database.drop()
  })

  it(`who waits for a slot is found on ${name} although its idle lane was removed`, async function () {
    this.timeout(60_000)
    const database = await make()
    let clock = nowUs
    const store = knexStore(database.url, { now: () => clock })
    await store.open()
    const back = backDoor(database.url)
    const waiting = anEvent('waiting')
    await store.record([waiting])
    const claim = () =>
      store.claim({ kind: 'settle', limit: 10, leaseMs: 1000, owner: 'worker', subscribers: [] })
    const [lane] = await claim()
    await back('booking_webhooks_events').where({ id: waiting.id }).update({ status: 'waiting' })
    const owner = { provider: waiting.provider, account: waiting.account, booking_id: waiting.bookingId }
    await back('booking_webhooks_waiting').insert({
      ...owner,
      event_id: waiting.id,
      resource: 'host',
      starts_us: clock + 60 * dayUs,
      occurred_us: clock,
      wanted: 'booking.created',
    })
    await back('booking_webhooks_bookings').insert({
      ...owner,
      thread_id: waiting.bookingId,
      told: 'untold',
      starts_us: clock + 60 * dayUs,
      updated_us: clock,
      data: '{}',
    })
    await store.release(lane!, { to: 'idle' })
    clock += 8 * dayUs
    expect(await store.sweep()).to.deep.equal({ lanes: 0, waiting: 1 })
    expect((await claim()).map(({ key }) => key)).to.deep.equal([waiting.lane])
    await back.destroy()
    await store.close()
    await database.drop()
  })
})
