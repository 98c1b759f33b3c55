import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery, type SampleInvitee } from '@booking-webhooks/calendly/testing'
import type { BookingEvent } from '@booking-webhooks/core'
import { expect } from 'chai'
import { shortId, signingKey, type Workbench, workbench } from '../support/workbench.js'

const people = 200

describe('a calendar that is down for ten minutes while people reschedule', () => {
  let bench: Workbench
  afterEach(() => bench.close())

  it('delays what is told, not what is so, and leaves no ghost entry behind', async function () {
    this.timeout(120_000)
    let nowUs = Date.UTC(2027, 0, 1) * 1000
    let isDown = false
    const calendar = new Map<string, string | null>()
    const write = (work: () => void) => {
      if (isDown) throw new Error('the calendar is down')
      work()
    }
    bench = workbench({
      providers: [
        calendly({
          signingKey,
          tolerance: { pastSeconds: Number.POSITIVE_INFINITY, futureSeconds: Number.POSITIVE_INFINITY },
        }),
      ],
      store: { now: () => nowUs },
      backoff: { baseMs: 1_000, capMs: 60_000 },
      attempts: 1_000,
      concurrency: 64,
      on: {
        'booking.created': ({ booking }) => write(() => calendar.set(booking.id, booking.startsAt)),
        'booking.rescheduled': ({ booking, previous }) =>
          write(() => {
            calendar.delete(previous.bookingId)
            calendar.set(booking.id, booking.startsAt)
          }),
        'booking.canceled': ({ booking }) => write(() => calendar.delete(booking.id)),
        'booking.conflict': null,
      },
    })
    const person = (number: number): SampleInvitee => ({
      id: `IN${number}`,
      meeting: `EV${number}`,
      hosts: [`US${number}`],
      startsAt: new Date(Date.UTC(2027, 1, 1)),
      bookedAt: new Date(Date.UTC(2027, 0, 1, 0, 0, number)),
    })
    const send = (event: string, invitee: SampleInvitee, at: Date) =>
      bench.deliver(calendlyDelivery({ key: signingKey, event, invitee, at }))
    const advance = async (ms: number) => {
      nowUs += ms * 1000
      await bench.inbox.drain()
    }

    // Half of the bookings are told before the outage; the others' very creation waits in the back-off.
    for (let number = 0; number < people; number += 1) {
      if (number === people / 2) {
        await bench.inbox.drain()
        isDown = true
      }
      await send('invitee.created', person(number), person(number).bookedAt!)
    }
    await advance(0)
    for (let minute = 1; minute <= 9; minute += 1) await advance(60_000)
    for (let number = 0; number < people; number += 1) {
      const at = new Date(Date.UTC(2027, 0, 1, 1, 0, number))
      const moved: SampleInvitee = {
        ...person(number),
        id: `IN${number}b`,
        meeting: `EV${number}b`,
        startsAt: new Date(Date.UTC(2027, 1, 2)),
        bookedAt: at,
        oldInvitee: person(number),
      }
      await send('invitee.canceled', { ...person(number), newInvitee: moved }, at)
      await send('invitee.created', moved, at)
    }
    await advance(60_000)

    const during = await bookings()
    expect(during.get('IN0')).to.deep.include({ status: 'rescheduled' })
    expect([...during.values()].filter(({ status }) => status === 'confirmed')).to.have.length(people)
    expect(
      [...during.keys()].filter(id => id.endsWith('b')).every(id => during.get(id)!.status === 'confirmed'),
    ).to.equal(true)
    expect(calendar.size, 'nothing got through').to.equal(people / 2)

    isDown = false
    for (let round = 0; round < 20; round += 1) await advance(60_000)
    expect([...calendar].sort()).to.deep.equal(
      [...during.values()]
        .filter(({ status }) => status === 'confirmed')
        .map(({ id, startsAt }) => [id, startsAt])
        .sort(),
    )
    const { rows } = await bench.inbox.events({ status: 'pending' })
    expect(rows).to.deep.equal([])

    async function bookings() {
      const { rows } = await bench.inbox.bookings({}, { limit: people * 3 })
      return new Map(rows.map(row => [shortId(row.id), row]))
    }
  })
})

describe('a subscriber that takes a minute', () => {
  it('does not keep the provider waiting', async () => {
    const running: BookingEvent[] = []
    const over = new AbortController()
    const bench = workbench({
      dispatch: true,
      timeoutMs: 120_000,
      subscribers: {
        slow: {
          takes: ['*'],
          tell: event => {
            running.push(event)
            return new Promise<void>(resolve => {
              const timer = setTimeout(resolve, 60_000)
              over.signal.addEventListener('abort', () => {
                clearTimeout(timer)
                resolve()
              })
            })
          },
        },
      },
    })
    const slowest = { ms: 0 }
    for (let number = 0; number < 50; number += 1) {
      const began = performance.now()
      const invitee = { id: `IN${number}`, meeting: `EV${number}`, hosts: [`US${number}`] }
      const reply = await bench.deliver(
        calendlyDelivery({ key: signingKey, event: 'invitee.created', invitee }),
      )
      slowest.ms = Math.max(slowest.ms, performance.now() - began)
      expect(reply.status).to.equal(200)
    }
    expect(slowest.ms).to.be.below(1_000)
    while (running.length < 16) await new Promise(resolve => setTimeout(resolve, 10))
    over.abort()
    await bench.close()
  })
})
