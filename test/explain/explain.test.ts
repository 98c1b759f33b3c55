import { calendly } from '@booking-webhooks/calendly'
import { calendlyStories } from '@booking-webhooks/calendly/testing'
import { inWords } from '@booking-webhooks/core'
import { expect } from 'chai'
import {
  shortId,
  signingKey,
  type Workbench,
  type WorkbenchOptions,
  workbench,
} from '../support/workbench.js'

const invitee = (id: string, meeting = id.replace('IN', 'EV')) =>
  `https://api.calendly.com/scheduled_events/${meeting}/invitees/${id}`

describe('the story of a booking', () => {
  let bench: Workbench
  let nowMs: number
  beforeEach(() => {
    nowMs = Date.UTC(2027, 2, 1, 9, 0, 0)
  })
  afterEach(() => bench.close())

  function begin(options: WorkbenchOptions = {}): void {
    bench = workbench({
      providers: [calendly({ signingKey, tolerance: { pastSeconds: 86_400, futureSeconds: 86_400 } })],
      now: () => new Date(nowMs),
      store: { now: () => nowMs * 1000 },
      ...options,
    })
  }

  /** Delivers a story, one delivery a minute. */
  async function play(name: keyof typeof calendlyStories): Promise<void> {
    const deliveries = calendlyStories[name]({
      key: signingKey,
      sentAt: new Date(nowMs),
      startsAt: new Date(Date.UTC(2027, 2, 8, 15)),
    })
    for (const delivery of deliveries) {
      await bench.deliver(delivery)
      await bench.inbox.drain()
      nowMs += 60_000
    }
  }

  it('tells of a cancel that overtook its booking so that anybody understands', async () => {
    let isDown = true
    begin({
      subscribers: {
        calendar: {
          takes: ['*'],
          tell() {
            if (isDown) throw new RangeError('not for the log')
          },
        },
      },
      backoff: { baseMs: 30_000, capMs: 30_000 },
    })
    const [cancel, create] = calendlyStories['late-create']({
      key: signingKey,
      sentAt: new Date(nowMs),
      startsAt: new Date(Date.UTC(2027, 2, 8, 15)),
    })
    await bench.deliver(cancel!)
    await bench.inbox.drain()
    nowMs += 60_000
    isDown = false
    await bench.deliver(cancel!)
    await bench.deliver(create!)
    await bench.inbox.drain()
    expect(inWords((await bench.inbox.explain(invitee('IN1')))!)).to.equal(`\
Booking ${invitee('IN1')} (calendly) is canceled.
It was to start at 2027-03-08 15:00:00 UTC.

1. 2027-03-01 09:00:00 UTC  A message "invitee.canceled" came from calendly, which means booking.canceled. Its id is evt_3684e8d9d067ff9148c3eb84ea670680.
   It came 2 times, the last time at 2027-03-01 09:01:00 UTC; it counts once.
   By calendly's clock it happened at 2027-03-01 08:10:00 UTC.
   Accepted: The booking was canceled.
   Subscriber calendar was told booking.canceled at 2027-03-01 09:01:00 UTC, at attempt 2 (the last error: RangeError).

2. 2027-03-01 09:01:00 UTC  A message "invitee.created" came from calendly, which means booking.created. Its id is evt_93d12f80c9000421a3e5f564066290f6.
   By calendly's clock it happened at 2027-03-01 08:00:00 UTC: before number 1 (booking.canceled), which overtook it on the way here.
   Refused: The booking was canceled. A booking that is over does not come back.
   Nobody was told of it: no calendar is to hold a booking that is over.
`)
  })

  it('holds each delivery, decision, slot and telling as data', async () => {
    begin({
      attempts: 1,
      subscribers: {
        calendar: { takes: ['*'], tell() {} },
        mail: {
          'booking.created'() {
            throw new TypeError('down')
          },
          'booking.rescheduled': null,
          'booking.conflict': null,
        },
      },
    })
    await play('double-booking')
    const explanation = (await bench.inbox.explain(invitee('IN2')))!
    const slot = {
      resource: 'calendly/default/https://api.calendly.com/users/US1',
      startsAt: '2027-03-08T15:00:00.000000Z',
    }
    expect(
      explanation.thread.map(({ id, status, holds, waitsFor }) => ({ id, status, holds, waitsFor })),
    ).to.deep.equal([{ id: invitee('IN2'), status: 'confirmed', holds: [slot], waitsFor: [] }])
    const [created, conflict, ...others] = explanation.events
    expect(others).to.deep.equal([])
    expect(created).to.deep.include({
      type: 'booking.created',
      deliveries: 1,
      outcome: 'accepted',
      status: 'dead',
      reason: 'Its slot is free now.',
      conflictWith: [],
      slots: [
        { at: '2027-03-01T09:01:00.000000Z', freed: [], taken: [], awaited: [slot] },
        { at: '2027-03-01T09:02:00.000000Z', freed: [], taken: [slot], awaited: [] },
      ],
    })
    expect(created!.tells).to.deep.equal([
      {
        subscriber: 'calendar',
        replay: null,
        status: 'done',
        attempts: 1,
        lastError: null,
        finishedAt: '2027-03-01T09:02:00.000000Z',
      },
      {
        subscriber: 'mail',
        replay: null,
        status: 'dead',
        attempts: 1,
        lastError: 'TypeError',
        finishedAt: '2027-03-01T09:02:00.000000Z',
      },
    ])
    expect(conflict).to.deep.include({ type: 'booking.conflict', parentId: created!.id, origin: 'settling' })
    expect(conflict!.conflictWith.map(shortId)).to.deep.equal(['EV1'])
    const advice = `booking-webhooks replay --status dead --event ${created!.id}`
    expect(inWords(explanation)).to.include(advice)
    await bench.inbox.erase({ booking: invitee('IN2') })
    const erased = inWords((await bench.inbox.explain(invitee('IN2')))!)
    expect(erased).to.include('mail could not be told booking.created')
    expect(erased).not.to.include(advice)
  })

  it('says who holds the time that a booking waits for', async () => {
    begin()
    const [ann, bob] = calendlyStories['double-booking']({ key: signingKey, sentAt: new Date(nowMs) })
    await bench.deliver(ann!)
    await bench.deliver(bob!)
    await bench.inbox.drain()
    const explanation = (await bench.inbox.explain(invitee('IN2')))!
    expect(explanation.thread[0]!.waitsFor.map(({ heldBy }) => shortId(heldBy!))).to.deep.equal(['EV1'])
    expect(inWords(explanation)).to.match(
      /another meeting holds its time\.[\s\S]* which meeting \S+EV1 holds\./,
    )
  })

  it('follows the chain of reschedules from whichever booking is asked for, and says when it was renamed', async () => {
    begin()
    const [a, b, c] = ['INa', 'INb', 'INc'].map((id, hour) => ({
      id,
      meeting: id.replace('IN', 'EV'),
      startsAt: new Date(Date.UTC(2027, 2, 8, 10 + hour)),
      bookedAt: new Date(nowMs - (3 - hour) * 60_000),
    }))
    const sentAt = new Date(nowMs)
    await bench.calendly({
      event: 'invitee.created',
      invitee: { ...c!, oldInvitee: b! },
      at: c!.bookedAt,
      sentAt,
    })
    nowMs += 1
    await bench.calendly({
      event: 'invitee.created',
      invitee: { ...b!, oldInvitee: a! },
      at: b!.bookedAt,
      sentAt,
    })
    for (const id of ['INa', 'INb', 'INc']) {
      const explanation = (await bench.inbox.explain(invitee(id)))!
      expect(explanation.thread.map(booking => shortId(booking.id))).to.deep.equal(['INa', 'INb', 'INc'])
      expect(explanation.events).to.have.length(2)
      // They may have come the other way round, a moment apart, and been settled in this order all the same.
      for (const events of [explanation.events, [...explanation.events].reverse()]) {
        const said = inWords({ ...explanation, events }).match(/the chain was named .*/g)
        expect(said).to.deep.equal([
          `the chain was named ${invitee('INb')} and is named ${invitee('INa')} now.`,
        ])
      }
    }
  })

  it('leaves out what is about others of the same meeting', async () => {
    begin()
    await play('group')
    const ids = (await bench.inbox.bookings()).rows.map(({ id }) => id).sort()
    const [ann, bob] = await Promise.all(ids.map(id => bench.inbox.explain(id)))
    expect(ann!.events.map(({ type }) => type)).to.deep.equal(['booking.created', 'booking.canceled'])
    expect(bob!.events.map(({ type }) => type)).to.deep.equal(['booking.created'])
  })

  it('knows a booking of which only a mark came, and is null for one that nothing names', async () => {
    begin()
    const [, marked] = calendlyStories['no-show']({ key: signingKey, sentAt: new Date(nowMs) })
    await bench.deliver(marked!)
    await bench.inbox.drain()
    const explanation = (await bench.inbox.explain(invitee('IN1')))!
    expect(explanation.thread).to.deep.equal([])
    expect(inWords(explanation)).to.match(/^Of booking .* nothing came that makes or ends it/)
    expect(await bench.inbox.explain(invitee('IN9'))).to.equal(null)
    expect(await bench.inbox.explain(invitee('IN1'), { provider: 'calcom' })).to.equal(null)
    expect(await bench.inbox.explain(invitee('IN1'), { account: 'another' })).to.equal(null)
  })
})
