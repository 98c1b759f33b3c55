import type { Alert } from '@booking-webhooks/core'
import { expect } from 'chai'
import { authorization, id, type Studio, type StudioOptions, studio } from './studio.js'

const minute = 60_000
const hour = 60 * minute

describe('when the API of Acuity fails', () => {
  let salon: Studio
  let alerts: Alert[]
  const open = async (options?: StudioOptions) => {
    alerts = []
    salon = await studio({ onAlert: alert => void alerts.push(alert), ...options })
  }
  /** Lets time go by, and works in each step of it. */
  const pass = async (ms: number, step: number) => {
    for (let gone = 0; gone < ms; gone += step) {
      salon.clock.pass(step)
      await salon.inbox.drain()
    }
  }
  afterEach(() => salon.end())

  it('raises one alert for an hour of 401, loses none of 50 pokes, and settles them all once the key is right', async function () {
    this.timeout(60_000)
    await open()
    salon.fake.authorization = 'Basic another'
    for (let number = 0; number < 50; number += 1)
      expect(await salon.poke('scheduled', { id: id + number, calendarID: number + 1 })).to.equal(200)
    await salon.inbox.drain()
    const asked = salon.fake.calls.length
    await pass(hour, 10 * minute)
    expect(alerts.map(({ kind, subject }) => `${kind} ${subject}`)).to.deep.equal([
      'alert api:acuity/default',
    ])
    expect(salon.told).to.deep.equal([])
    expect(new Set((await salon.events()).map(row => `${row.status} ${row.attempts}`))).to.deep.equal(
      new Set(['pending 0']),
    )
    expect(asked, 'those under way when the first refusal came').to.be.at.most(16)
    expect(salon.fake.calls.length - asked, 'then one at a time').to.equal(6)

    salon.fake.authorization = authorization
    await pass(3 * minute, 30_000)
    expect(salon.told).to.have.length(50)
    expect(new Set(await salon.outcomes())).to.deep.equal(new Set(['accepted']))
    expect(alerts.map(({ kind }) => kind)).to.deep.equal(['alert', 'recovered'])
  })

  it('never takes 404 for a cancel: the booking stands, and the poke is a dead letter in the end', async () => {
    await open()
    await salon.settle('scheduled')
    const slots = salon.slots()
    await salon.poke('changed')
    salon.fake.remove(id)
    await salon.inbox.drain()
    await pass(2 * hour, 5_000 * 60)
    const row = (await salon.events()).at(-1)
    expect(row).to.include({ status: 'dead', attempts: 5 })
    expect(row?.lastError ?? row?.reason).to.contain('404')
    expect(await salon.booking()).to.include({ status: 'confirmed' })
    expect(salon.slots()).to.deep.equal(slots)
    expect(salon.told).to.have.length(1)

    await salon.settle('changed', { notes: 'found again' })
    expect(salon.told.at(-1)?.event.type, 'a later poke heals it').to.equal('booking.updated')
  })

  it('answers Acuity at once, and tells one event after 503, 503, 200', async () => {
    await open()
    salon.fake.answer(id, { status: 503, times: 2 })
    expect(await salon.poke('scheduled')).to.equal(200)
    await salon.inbox.drain()
    await pass(10, 1)
    expect(salon.fake.calls.map(call => call.status)).to.deep.equal([503, 503, 200])
    expect(salon.heard()).to.have.length(1)
  })

  it('leaves the whole account alone after 429 for as long as it is told, and counts nothing', async () => {
    await open()
    salon.fake.answer(id, { status: 429, headers: { 'retry-after': '30' } })
    await salon.settle('scheduled')
    await salon.settle('scheduled', { id: id + 1, calendarID: 2 })
    await pass(20_000, 1_000)
    expect(salon.fake.calls).to.have.length(1)
    expect((await salon.events()).map(row => [row.status, row.attempts])).to.deep.equal([
      ['pending', 0],
      ['pending', 0],
    ])
  })

  it('blocks no other booking with one that cannot be fetched', async () => {
    await open()
    salon.fake.answer(id, { status: 500, times: 100 })
    await salon.settle('scheduled')
    await salon.settle('scheduled', { id: id + 1, calendarID: 2 })
    expect(salon.told.map(({ event }) => event.booking?.id)).to.deep.equal([String(id + 1)])
  })

  it('asks again where the API does not show a cancel yet', async () => {
    await open()
    await salon.settle('scheduled')
    await salon.poke('changed')
    await salon.settle('canceled')
    expect(salon.told).to.have.length(1)
    salon.fake.put({ id, canceled: true })
    await pass(3_000, 1_000)
    expect(salon.told.map(({ event }) => event.type)).to.deep.equal(['booking.created', 'booking.canceled'])
  })

  it('believes it after 2 s, 15 s and 60 s, however few attempts a subscriber has', async () => {
    await open({ attempts: 1 })
    await salon.settle('scheduled')
    await salon.settle('canceled')
    await pass(100_000, 1_000)
    expect(salon.fake.calls).to.have.length(5)
    expect((await salon.outcomes()).at(-1)).to.equal('unchanged')
    expect(await salon.booking()).to.include({ status: 'confirmed' })
  })

  it('gives a 404 and a cancel that lags all their tries, also after an outage', async () => {
    await open()
    await salon.settle('scheduled')
    salon.fake.answer(id, { status: 503, times: 6 }, { status: 404, times: 2 })
    await salon.settle('changed', { notes: 'late' })
    await pass(6, 1)
    expect((await salon.events()).at(-1)).to.include({ status: 'pending', attempts: 7 })
    await pass(5_000, 1_000)
    const row = (await salon.events()).at(-1)
    expect(row).to.include({ status: 'pending', attempts: 8 })
    expect(row?.lastError).to.equal('Acuity knows no appointment of this id (404). (2 times in a row)')
    await pass(30_000, 1_000)
    expect(salon.told.map(({ event }) => event.type)).to.deep.equal(['booking.created', 'booking.updated'])

    salon.fake.answer(id, { status: 503, times: 3 })
    await salon.poke('canceled')
    await salon.inbox.drain()
    await pass(6, 1)
    salon.fake.put({ id, canceled: true })
    await pass(3_000, 1_000)
    expect(salon.told.at(-1)?.event.type).to.equal('booking.canceled')
  })

  it('tells a failed creation again as it was, then the cancel that came meanwhile', async () => {
    const told: string[] = []
    let isDown = true
    await open({
      subscribers: {
        calendar: {
          takes: ['*'],
          tell(event) {
            if (isDown) throw new Error('down')
            told.push(`${event.type} ${event.booking?.status} ${event.id}`)
          },
        },
      },
    })
    await salon.settle('scheduled')
    await salon.settle('canceled', { canceled: true })
    isDown = false
    await pass(10_000, 1_000)
    const [created, canceled] = (await salon.events()).map(row => row.id)
    expect(told).to.deep.equal([
      `booking.created confirmed ${created}`,
      `booking.canceled canceled ${canceled}`,
    ])
    expect(salon.fake.calls, 'no further question').to.have.length(2)
  })
})
