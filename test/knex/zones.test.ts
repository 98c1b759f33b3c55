import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import createKnex from 'knex'
import { shortId, signingKey, workbench } from '../support/workbench.js'
import { eachDatabase } from './support/databases.js'
import { configured } from './support/ground.js'

const invitee = {
  id: 'IN1',
  meeting: 'EV1',
  hosts: ['US1'],
  // Half past two in Auckland, for the second time of that night.
  startsAt: new Date('2026-04-04T14:30:00Z'),
  bookedAt: new Date('2026-04-04T13:30:00Z'),
}

/** What happened to one booking, in order: at half past two, a microsecond later, at half past two again, and in the same microsecond a mark, which goes first. */
const past = [
  {
    event: 'invitee.created',
    at: new Date('2026-04-04T13:30:00Z'),
    payload: { created_at: '2026-04-04T13:30:00.000001Z' },
  },
  {
    event: 'invitee_no_show.created',
    at: new Date('2026-04-04T13:30:00Z'),
    noShow: 'NS1',
    payload: { no_show: { uri: mark('NS1'), created_at: '2026-04-04T13:30:00.000002Z' } },
  },
  { event: 'invitee_no_show.deleted', at: new Date('2026-04-04T14:30:00Z'), noShow: 'NS1' },
  {
    event: 'invitee_no_show.created',
    at: new Date('2026-04-04T14:30:00Z'),
    noShow: 'NS2',
    payload: { no_show: { uri: mark('NS2'), created_at: '2026-04-04T14:30:00.999999Z' } },
  },
]

eachDatabase((name, make) => {
  const { TZ } = process.env
  before(() => {
    process.env.TZ = 'Pacific/Auckland'
  })
  after(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })

  it(`on ${name}, nine hours ahead, and in Auckland, in the night when its clocks go back, nothing changes its instant or its place`, async function () {
    this.timeout(60_000)
    expect(new Date('2026-04-04T13:30:00Z').getHours()).to.equal(new Date('2026-04-04T14:30:00Z').getHours())
    const database = await make()
    const config = configured(database.url)
    const knex = createKnex(
      typeof config === 'string'
        ? { client: 'pg', connection: config }
        : { useNullAsDefault: true, ...config },
    )
    const bench = workbench({ database: knex })
    try {
      for (const order of [past, [...past].reverse()]) {
        for (const options of order) {
          await bench.deliver(calendlyDelivery({ key: signingKey, invitee, ...options }))
          await bench.inbox.drain()
        }
        const [booking] = (await bench.inbox.bookings()).rows
        const { rows } = await bench.inbox.events()
        const [slot] = await knex('booking_webhooks_slots')
        expect([booking?.status, booking?.noShow, booking?.startsAt, Number(slot.starts_us)]).to.deep.equal([
          'confirmed',
          false,
          '2026-04-04T14:30:00.000000Z',
          Date.UTC(2026, 3, 4, 14, 30) * 1000,
        ])
        expect(rows.map(({ occurredAt, type }) => [occurredAt, type]).sort()).to.deep.equal([
          ['2026-04-04T13:30:00.000001Z', 'booking.created'],
          ['2026-04-04T13:30:00.000002Z', 'booking.no_show'],
          ['2026-04-04T14:30:00.999999Z', 'booking.no_show'],
          ['2026-04-04T14:30:00.999999Z', 'booking.updated'],
        ])
        expect(shortId(booking?.id ?? '')).to.equal('IN1')
        for (const table of ['events', 'bookings', 'slots', 'subjects', 'tells', 'lanes'])
          await knex(`booking_webhooks_${table}`).delete()
      }
    } finally {
      await bench.close()
      await knex.destroy()
      await database.drop()
    }
  })
})

function mark(id: string): string {
  return `https://api.calendly.com/invitee_no_shows/${id}`
}
