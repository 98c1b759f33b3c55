import { expect } from 'chai'
import { factsIn, withPayload } from './at.js'
import { examples } from './examples.js'
import { settleInAnyOrder } from './in-any-order.js'
import { at, body, settle } from './ledger.js'

const { E1, E2, E3, E4, E5, E6, E9, E10 } = examples
const A = 'bK3mPq7RtVwXyZ2aBcDeFg'
const B = 'cL4nQr8SuWxYz3bCdEfGhJ'
const D = 'dM5pRs9TvXyZ4cDeFgHjKk'
const ann = { uid: 'ann', startsAt: at(3, 14) }
const bob = { uid: 'bob', startsAt: at(3, 14), name: 'Bob Ray', email: 'bob@example.com' }

describe('calcom: bookings without seats', () => {
  it('tells two subscriptions’ copies of one event once, whatever their time and version', () => {
    const later = withPayload(
      E1.body,
      { attendeeIcsContent: 'BEGIN:VCALENDAR' },
      { createdAt: '2026-01-15T09:00:00.542Z' },
    )
    const settled = settle(E1.body, later)
    expect(settled.outcomes).to.deep.equal(['accepted', 'duplicate'])
    expect(settled.told).to.deep.equal([`booking.created ${A}`])
    const canceled = withPayload(E4.body, {}, { createdAt: '2026-01-16T08:00:00.904Z' })
    expect(settle(E1.body, E4.body, canceled).told).to.have.length(2)
  })

  it('takes a retry with another body for the event that it is', () => {
    expect(settle(E1.body, withPayload(E1.body, { title: 'Changed since' })).outcomes).to.deep.equal([
      'accepted',
      'duplicate',
    ])
  })

  it('closes the booking that a reschedule replaced, also where its create comes late', () => {
    const settled = settle(E2.body, E1.body)
    expect(settled.statuses).to.deep.equal({ [A]: 'rescheduled', [B]: 'confirmed' })
    expect(settled.told).to.deep.equal([`booking.rescheduled ${B}`])
    expect(settled.slots).to.deep.equal([`user:11@${Date.UTC(2026, 1, 5, 15) * 1000} ${B}`])
    settleInAnyOrder(E1.body, E2.body)
  })

  it('takes the old times from the body where the replaced booking is not known', () => {
    const [told] = settle(E2.body).run.heard
    expect(told.announcement.previous).to.deep.equal({
      bookingId: A,
      startsAt: '2026-02-03T14:00:00.000000Z',
      endsAt: '2026-02-03T14:30:00.000000Z',
      hosts: [],
    })
  })

  it('ends with nothing where cancel, reschedule and create come the wrong way round', () => {
    const settled = settle(E3.body, E2.body, E1.body)
    expect(settled.statuses).to.deep.equal({ [A]: 'rescheduled', [B]: 'canceled' })
    expect(settled.slots).to.deep.equal([])
    settleInAnyOrder(E1.body, E2.body, E3.body)
  })

  it('joins a host’s request for another time with what the attendee then chose, in all orders', () => {
    const settled = settleInAnyOrder(E1.body, E4.body, E2.body)
    expect(settled.statuses).to.deep.equal({ [A]: 'rescheduled', [B]: 'confirmed' })
    expect([...settled.run.engine.bookings.values()].map(row => row.threadId)).to.deep.equal([A, A])
    const cancel = settled.run.heard.find(({ announcement: { type } }) => type === 'booking.canceled')
    expect(cancel?.announcement.cancellation).to.deep.equal({
      by: 'host',
      reason: 'Please reschedule. I am travelling',
      rescheduleRequested: true,
    })
    expect(settle(E2.body, E4.body).outcomes).to.deep.equal(['accepted', 'superseded'])
  })

  it('knows a request for another time from before there was a field for it', () => {
    for (const nothing of [undefined, null, '']) {
      const old = withPayload(E4.body, { requestReschedule: nothing, status: nothing })
      expect(factsIn(old)[0].cancellation).to.deep.equal({ by: 'host', rescheduleRequested: true })
    }
    const other = withPayload(E4.body, { requestReschedule: undefined })
    expect(factsIn(other)[0].cancellation).to.deep.equal({ by: 'unknown', rescheduleRequested: false })
  })

  it('follows a chain of reschedules to its end', () => {
    const second = { uid: 'second', startsAt: at(4, 14), replaces: ann }
    const third = { uid: 'third', startsAt: at(5, 14), replaces: second }
    const settled = settleInAnyOrder(
      body('BOOKING_CREATED', 0, ann),
      body('BOOKING_RESCHEDULED', 1, second),
      body('BOOKING_RESCHEDULED', 2, third),
    )
    expect(settled.statuses).to.deep.equal({ ann: 'rescheduled', second: 'rescheduled', third: 'confirmed' })
    expect([...settled.run.engine.bookings.values()].map(row => row.threadId)).to.deep.equal([
      'ann',
      'ann',
      'ann',
    ])
  })

  it('confirms a request that was accepted, in either order', () => {
    expect(settle(E5.body, E6.body).told).to.deep.equal([`booking.requested ${D}`, `booking.created ${D}`])
    const reversed = settle(E6.body, E5.body)
    expect(reversed.outcomes).to.deep.equal(['accepted', 'stale'])
    expect(reversed.statuses).to.deep.equal({ [D]: 'confirmed' })
    settleInAnyOrder(E5.body, E6.body)
  })

  it('keeps rejected what was rejected', () => {
    const rejected = body('BOOKING_REJECTED', 1, ann, { payload: { rejectionReason: 'No time' } })
    const settled = settle(body('BOOKING_REQUESTED', 0, ann), rejected, body('BOOKING_CREATED', 0.5, ann))
    expect(settled.outcomes).to.deep.equal(['accepted', 'accepted', 'refused'])
    expect(settled.statuses).to.deep.equal({ ann: 'rejected' })
    expect(settled.run.heard[1].announcement.cancellation).to.include({ by: 'host', reason: 'No time' })
  })

  it('takes the old entry off where a reschedule waits for the host', () => {
    const moved = { uid: 'moved', startsAt: at(4, 14), replaces: ann }
    const bodies = [
      body('BOOKING_CREATED', 0, ann),
      body('BOOKING_REQUESTED', 1, moved),
      body('BOOKING_CREATED', 2, moved, { isAccepted: true }),
    ]
    const requested = settle(...bodies.slice(0, 2))
    expect(requested.told).to.deep.equal(['booking.created ann', 'booking.rescheduled moved'])
    expect(requested.run.heard[1].announcement.booking.status).to.equal('requested')
    expect(requested.slots).to.deep.equal([])
    const accepted = settleInAnyOrder(...bodies)
    expect(accepted.told).to.deep.equal([
      'booking.created ann',
      'booking.rescheduled moved',
      'booking.created moved',
    ])
    expect(accepted.statuses).to.deep.equal({ ann: 'rescheduled', moved: 'confirmed' })
  })

  it('lets two request one time, and the second to be accepted wait', () => {
    const settled = settle(
      body('BOOKING_REQUESTED', 0, ann),
      body('BOOKING_REQUESTED', 1, bob),
      body('BOOKING_CREATED', 2, ann, { isAccepted: true }),
      body('BOOKING_CREATED', 3, bob, { isAccepted: true }),
    )
    expect(settled.outcomes).to.deep.equal(['accepted', 'accepted', 'accepted', 'conflict'])
    expect(settled.statuses).to.deep.equal({ ann: 'confirmed', bob: 'conflict' })
  })

  it('lets a booking wait whose new host is taken, until that slot is free', () => {
    const omar = { id: 12, name: 'Omar Host', email: 'omar@example.com' }
    const bodies = [
      body('BOOKING_CREATED', 0, ann),
      body('BOOKING_CREATED', 1, { ...bob, host: omar }),
      body('BOOKING_REASSIGNED', 2, { ...bob }),
    ]
    expect(settle(...bodies).statuses).to.deep.equal({ ann: 'confirmed', bob: 'conflict' })
    const freed = settle(...bodies, body('BOOKING_CANCELLED', 3, ann))
    expect(freed.statuses).to.deep.equal({ ann: 'canceled', bob: 'confirmed' })
    expect(freed.told.at(-1)).to.equal('booking.rescheduled bob')
    expect(freed.slots).to.deep.equal([`user:11@${at(3, 14).getTime() * 1000} bob`])
  })

  it('tells another host of a known booking as a reschedule in place, of an unknown one as an update', () => {
    const omar = { id: 12, email: 'omar@example.com' }
    const reassigned = body('BOOKING_REASSIGNED', 1, { ...ann, host: omar })
    const [, told] = settle(body('BOOKING_CREATED', 0, ann), reassigned).run.heard
    expect(told.announcement).to.include({ type: 'booking.rescheduled' })
    expect(told.announcement.previous).to.include({ bookingId: 'ann' })
    expect(settle(reassigned).told).to.deep.equal(['booking.updated ann'])
  })

  it('tells a new location as an update', () => {
    const location = body('BOOKING_LOCATION_UPDATED', 1, ann, {
      payload: { location: 'Room 5', metadata: {} },
    })
    const [, told] = settle(body('BOOKING_CREATED', 0, ann), location).run.heard
    expect(told.announcement.type).to.equal('booking.updated')
    expect(told.announcement.booking.location).to.deep.equal({ kind: 'other', url: null, text: 'Room 5' })
    expect(told.announcement.booking.attendee?.email).to.equal('ann@example.com')
  })

  it('marks as paid in either order, and makes nothing of a payment that has only begun', () => {
    const paid = body('BOOKING_PAID', 1, { ...ann, price: 5_050 })
    const created = body('BOOKING_CREATED', 2, { ...ann, price: 5_050 })
    expect(settle(body('BOOKING_PAYMENT_INITIATED', 0, ann)).statuses).to.deep.equal({})
    expect(settle(paid, created).outcomes).to.deep.equal(['accepted', 'accepted'])
    const { run } = settleInAnyOrder(created, paid)
    expect(run.engine.bookings.get('ann')?.payment).to.deep.equal({
      amount: '50.50',
      currency: 'USD',
      paid: true,
      reference: '501',
    })
  })

  it('has a no-show as long as one of its people did not come, whoever else did', () => {
    const withGuest = { ...ann, guests: ['bo@example.com'] }
    const mark = (minute: number, email: string, noShow: boolean) =>
      body('BOOKING_NO_SHOW_UPDATED', minute, withGuest, { marks: [{ email, noShow }] })
    const created = body('BOOKING_CREATED', 0, withGuest)
    const bo = [mark(20, 'bo@example.com', true), mark(30, 'bo@example.com', false)]
    const settled = settleInAnyOrder(created, mark(10, 'ann@example.com', true), ...bo)
    expect(settled.told).to.deep.equal(['booking.created ann', 'booking.no_show ann'])
    expect(settled.run.engine.bookings.get('ann')?.noShow).to.equal(true)
    expect(
      settle(created, mark(10, 'ann@example.com', true), ...bo, mark(40, 'ann@example.com', false)).told.at(
        -1,
      ),
    ).to.equal('booking.updated ann')
  })

  it('is paid with guests listed too, where the body does not say by whom', () => {
    const withGuest = { ...ann, guests: ['bo@example.com'] }
    const created = body('BOOKING_CREATED', 0, withGuest)
    const paid = body('BOOKING_PAID', 1, withGuest, { payload: { metadata: {} } })
    const settled = settleInAnyOrder(created, paid)
    const payment = { amount: '50.00', currency: 'USD', paid: true, reference: '501' }
    expect(settled.run.heard.at(-1)?.announcement).to.deep.include({ type: 'booking.paid' })
    expect(settled.run.heard.at(-1)?.announcement.booking.payment).to.deep.equal(payment)
    expect(settle(created, paid, paid).outcomes).to.deep.equal(['accepted', 'accepted', 'duplicate'])
  })

  it('tells once that a meeting ended, when it ended', () => {
    const settled = settle(E10.body, E10.body)
    expect(settled.outcomes).to.deep.equal(['accepted', 'duplicate'])
    const [{ fact, announcement }] = settled.run.heard
    expect(fact.occurredUs).to.equal(Date.UTC(2026, 1, 5, 15, 30) * 1000)
    expect(announcement.type).to.equal('booking.ended')
    expect(announcement.booking).to.deep.include({
      id: B,
      startsAt: '2026-02-05T15:00:00.000000Z',
      answers: [
        { question: null, answer: 'Ann Lee', key: 'name' },
        { question: null, answer: 'ann@example.com', key: 'email' },
      ],
    })
  })

  it('tells the start of a meeting from the few fields that some servers send, but not after its end', () => {
    const reduced = JSON.stringify({
      triggerEvent: 'MEETING_STARTED',
      eventType: { title: 'Intro' },
      uid: 'ann',
      startTime: '2026-02-03T14:00:00.000Z',
      endTime: '2026-02-03T14:30:00.000Z',
      metadata: {},
      attendees: [{ email: 'ann@example.com', name: 'Ann Lee' }],
      location: 'integrations:daily',
      id: 9001,
      responses: {},
    })
    const created = body('BOOKING_CREATED', 0, ann)
    expect(settle(created, reduced).told).to.deep.equal(['booking.created ann', 'booking.started ann'])
    const late = settle(created, body('BOOKING_CANCELLED', 1, ann), reduced)
    expect(late.outcomes).to.deep.equal(['accepted', 'accepted', 'refused'])
  })

  it('keeps what changed since it was booked: the row of a meeting may be as old as that', () => {
    const host = { id: 12, name: 'Otto New', email: 'otto@example.com' }
    const zoom = { location: 'https://zoom.example.com/new', metadata: {} }
    const known = [
      body('BOOKING_CREATED', 0, ann),
      body('BOOKING_REASSIGNED', 1, { ...ann, host }),
      body('BOOKING_LOCATION_UPDATED', 2, { ...ann, host }, { payload: zoom }),
    ]
    const row = { payload: { location: 'https://old.example.com/room' } }
    for (const trigger of ['MEETING_STARTED', 'MEETING_ENDED']) {
      const settled = settleInAnyOrder(...known, body(trigger, 0, ann, row))
      const { booking } = settled.run.heard.at(-1)!.announcement
      expect(booking.hosts.map(({ name }) => name)).to.deep.equal(['Otto New'])
      expect(booking.location?.url).to.equal(zoom.location)
      expect(booking.answers.map(({ question }) => question)).to.deep.equal(['your_name', 'email_address'])
    }
  })

  it('hears every change of a no-show, and only the newest counts', () => {
    const mark = (minute: number, noShow: boolean) =>
      body('BOOKING_NO_SHOW_UPDATED', minute, ann, { marks: [{ email: 'Ann@Example.com ', noShow }] })
    const [yes, no, again] = [mark(10, true), mark(20, false), mark(30, true)]
    const created = body('BOOKING_CREATED', 0, ann)
    expect(settle(created, yes, no, again).told.slice(1)).to.deep.equal([
      'booking.no_show ann',
      'booking.updated ann',
      'booking.no_show ann',
    ])
    const late = settle(created, no, yes)
    expect(late.outcomes.at(-1)).to.equal('stale')
    expect(late.run.engine.bookings.get('ann')?.noShow).to.equal(false)
    settleInAnyOrder(created, yes, no)
  })

  it('takes a guest’s no-show for the booking’s, where there are no seats', () => {
    const marks = [{ email: 'guest@example.com', noShow: true }]
    const created = body('BOOKING_CREATED', 0, { ...ann, guests: ['guest@example.com'] })
    const settled = settle(created, body('BOOKING_NO_SHOW_UPDATED', 9, ann, { marks }))
    expect(settled.told).to.deep.equal(['booking.created ann', 'booking.no_show ann'])
    expect(settle(E9.body).told).to.deep.equal([`booking.no_show ${B}`])
  })

  it('reads the three spellings of one instant as one', () => {
    const spelled = (startTime: string, uid: string) => withPayload(E1.body, { startTime, uid })
    const settled = settle(
      spelled('2026-02-03T14:00:00Z', 'a'),
      spelled('2026-02-03T15:00:00+01:00', 'b'),
      spelled('2026-02-03T14:00:00.000Z', 'c'),
    )
    expect(settled.slots).to.have.length(1)
    expect(settled.statuses).to.deep.equal({ a: 'confirmed', b: 'conflict', c: 'conflict' })
  })

  describe('whose accept names the host by address alone', () => {
    const organizer = { name: 'Olga Host', email: 'olga@example.com' }
    const accepted = withPayload(E6.body, { organizer })
    const olga = (starts: Date) => `user:11@${starts.getTime() * 1000}`

    it('keep the host of the request, and with it the slot, whichever comes first', () => {
      const settled = settleInAnyOrder(E5.body, accepted)
      expect(settled.told).to.deep.equal([`booking.requested ${D}`, `booking.created ${D}`])
      expect(settled.slots).to.deep.equal([`${olga(at(3, 14))} ${D}`])
      const late = settle(accepted, E5.body)
      expect(late.slots).to.deep.equal(settled.slots)
      expect(late.told).to.deep.equal([`booking.created ${D}`])
      expect(late.outcomes).to.deep.equal(['accepted', 'stale'])
    })

    it('are not booked beside another meeting of that host', () => {
      const settled = settle(E5.body, body('BOOKING_CREATED', 1, bob), accepted)
      expect(settled.statuses).to.deep.equal({ bob: 'confirmed', [D]: 'conflict' })
      expect(settle(E5.body, accepted, body('BOOKING_CREATED', 1, bob)).statuses).to.deep.equal({
        [D]: 'confirmed',
        bob: 'conflict',
      })
    })

    it('wait for the slot of the host where the request comes late', () => {
      const settled = settle(accepted, body('BOOKING_CREATED', 1, bob), E5.body)
      expect(settled.statuses).to.deep.equal({ [D]: 'conflict', bob: 'confirmed' })
      expect(settled.told.at(-1)).to.equal(`booking.conflict ${D}`)
    })

    it('guard the address where no request is known', () => {
      expect(settle(accepted).slots).to.deep.equal([
        `email:olga@example.com@${at(3, 14).getTime() * 1000} ${D}`,
      ])
    })

    it('hand the slot over where the booking is reassigned, before or after', () => {
      const handed = (minute: number) =>
        body('BOOKING_REASSIGNED', minute, {
          uid: D,
          startsAt: at(3, 14),
          host: { id: 12, name: 'Omar', email: 'omar@example.com' },
        })
      for (const minute of [150, 300]) {
        const settled = settleInAnyOrder(E5.body, accepted, handed(minute))
        expect(settled.slots).to.deep.equal([`user:12@${at(3, 14).getTime() * 1000} ${D}`])
      }
    })
  })

  it('cancels what it knows little of', () => {
    const bare = withPayload(E3.body, {
      bookingId: undefined,
      status: undefined,
      metadata: undefined,
      seatsPerTimeSlot: undefined,
      organizer: { email: 'olga@example.com', name: 'Olga Host' },
      cancelledBy: 'OLGA@example.com',
    })
    const settled = settle(E2.body, bare)
    expect(settled.statuses).to.include({ [B]: 'canceled' })
    expect(settled.slots).to.deep.equal([])
    expect(settled.run.heard[1].announcement.cancellation?.by).to.equal('host')
    const by = (cancelledBy: unknown) => factsIn(withPayload(E3.body, { cancelledBy }))[0].cancellation?.by
    expect([by(undefined), by('someone@example.com'), by(' Ann@example.com')]).to.deep.equal([
      'unknown',
      'unknown',
      'attendee',
    ])
  })

  it('goes by the uid where the row’s number is another booking’s', () => {
    const settled = settle(E1.body, withPayload(E2.body, { bookingId: 9001 }))
    expect(settled.statuses).to.deep.equal({ [A]: 'rescheduled', [B]: 'confirmed' })
  })

  it('tells an accepted instant meeting and its create once', () => {
    const settled = settle(body('INSTANT_MEETING_ACCEPTED', 0, ann), body('BOOKING_CREATED', 1, ann))
    expect(settled.outcomes).to.deep.equal(['accepted', 'duplicate'])
    expect(settled.told).to.deep.equal(['booking.created ann'])
  })
})
