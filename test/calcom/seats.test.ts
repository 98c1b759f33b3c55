import type { SampleBooking } from '@booking-webhooks/calcom/testing'
import { expect } from 'chai'
import { hash, readingsOf, told, withPayload } from './at.js'
import { examples } from './examples.js'
import { settleInAnyOrder } from './in-any-order.js'
import { at, body, settle } from './ledger.js'

const { E7, E8 } = examples
const group = 'eN6qStAUwYzA5dEfGhJkLm'
const seatIds = {
  ann: '11111111-1111-4111-8111-111111111111',
  cy: '22222222-2222-4222-8222-222222222222',
  dee: '33333333-3333-4333-8333-333333333333',
  again: '44444444-4444-4444-8444-444444444444',
}
const X = { uid: 'x', startsAt: at(4, 14), seatsPerTimeSlot: 10 }
const Y = { uid: 'y', startsAt: at(5, 9), seatsPerTimeSlot: 10 }
const names = { ann: 'Ann Lee', cy: 'Cy Ng', dee: 'Dee Fox' }
type Name = keyof typeof names

const who = (name: Name) => ({ name: names[name], email: `${name}@example.com` })
const seat = (name: Name, meeting: SampleBooking = X, id = seatIds[name]): SampleBooking => ({
  ...meeting,
  ...who(name),
  seat: id,
})
const idOf = (name: keyof typeof seatIds) => `seat:${seatIds[name]}`
const took = (name: Name, minute: number, booking = seat(name)) => body('BOOKING_CREATED', minute, booking)
const left = (name: Name, minute: number, meeting = X) =>
  body('BOOKING_CANCELLED', minute, { ...meeting, ...who(name) })
/** Cal.com leaves the old times out where a seat moves. */
const lost = { rescheduleId: undefined, rescheduleStartTime: undefined, rescheduleEndTime: undefined }
const moved = (name: Name, minute: number, from: SampleBooking, to: SampleBooking, id = seatIds[name]) =>
  body('BOOKING_RESCHEDULED', minute, { ...seat(name, to, id), replaces: from }, { payload: lost })
const slotOf = ({ startsAt, uid }: typeof X) => `user:11@${startsAt.getTime() * 1000} ${uid}`

describe('calcom: seats', () => {
  it('are bookings of their own in one meeting, which holds one slot', () => {
    const first = withPayload(E7.body, {
      attendeeSeatId: seatIds.ann,
      attendees: [{ email: 'ann@example.com', name: 'Ann Lee' }],
      responses: {},
    })
    const settled = settle(first, E7.body)
    expect(settled.statuses).to.deep.equal({ [idOf('ann')]: 'confirmed', [idOf('cy')]: 'confirmed' })
    expect(settled.slots).to.deep.equal([`user:11@${at(4, 14).getTime() * 1000} ${group}`])
    expect([...settled.run.engine.bookings.values()].map(row => row.meetingId)).to.deep.equal([group, group])
    const cy = settled.run.engine.bookings.get(idOf('cy'))
    expect(cy?.details.attendee?.name).to.equal('Cy Ng')
    expect(cy?.details.seats).to.deep.equal({ id: seatIds.cy, capacity: 10, taken: null })
    expect(cy?.details.guests).to.deep.equal([])
  })

  it('are given up one by one: the others stay, and the slot until the last', () => {
    const settled = settle(took('ann', 0), took('cy', 1), left('cy', 10))
    expect(settled.statuses).to.deep.equal({ [idOf('ann')]: 'confirmed', [idOf('cy')]: 'canceled' })
    expect(settled.slots).to.deep.equal([slotOf(X)])
    expect(settled.run.heard[2].announcement.cancellation?.by).to.equal('unknown')
    expect(settle(took('ann', 0), took('cy', 1), left('cy', 10), left('ann', 11)).slots).to.deep.equal([])
  })

  it('do not tell who gave them up, whosever link was used', () => {
    const payload = { cancelledBy: 'olga@example.com' }
    const settled = settle(took('cy', 0), body('BOOKING_CANCELLED', 10, { ...X, ...who('cy') }, { payload }))
    expect(settled.run.heard[1].announcement.cancellation?.by).to.equal('unknown')
  })

  it('stay given up where the cancel comes before the create', () => {
    const settled = settle(E8.body, E7.body)
    expect(settled.outcomes).to.deep.equal(['accepted', 'refused'])
    expect(settled.statuses).to.include({ [idOf('cy')]: 'canceled' })
    settleInAnyOrder(took('ann', 0), took('cy', 1), left('cy', 10))
  })

  it('may be taken again by who left, in all orders', () => {
    const settled = settleInAnyOrder(
      took('cy', 0),
      left('cy', 10),
      took('cy', 20, seat('cy', X, seatIds.again)),
    )
    expect(settled.statuses).to.deep.equal({ [idOf('cy')]: 'canceled', [idOf('again')]: 'confirmed' })
  })

  it('end for everyone whom a cancel lists, each under a key of its own', () => {
    const two = body('BOOKING_CANCELLED', 10, { ...X, ...who('ann'), others: [who('cy')] })
    expect(readingsOf(two)).to.have.length(2)
    const settled = settle(took('ann', 0), took('cy', 1), took('dee', 2), two)
    expect(settled.statuses).to.deep.equal({
      [idOf('ann')]: 'canceled',
      [idOf('cy')]: 'canceled',
      [idOf('dee')]: 'confirmed',
    })
    expect(settled.told.slice(3)).to.deep.equal([
      `booking.canceled ${idOf('ann')}`,
      `booking.canceled ${idOf('cy')}`,
    ])
  })

  it('are nobody’s whom a cancel does not name: unreadable, and nobody is canceled', () => {
    const nobody = withPayload(E8.body, { attendees: [] })
    expect(told(nobody)[0]).to.have.property('unreadable').that.is.a('string')
    expect(readingsOf(nobody)[0]).to.include({ lane: group, meetingId: group })
    expect(settle(E7.body, nobody).statuses).to.deep.equal({ [idOf('cy')]: 'confirmed' })
  })

  it('are found by the seat where a cancel names it', () => {
    const named = body('BOOKING_CANCELLED', 10, seat('cy'), { payload: { attendeeSeatId: seatIds.cy } })
    expect(settle(took('ann', 0), took('cy', 1), named).statuses).to.include({ [idOf('cy')]: 'canceled' })
    const listsAll = body(
      'BOOKING_CANCELLED',
      10,
      { ...seat('cy'), others: [who('ann')] },
      {
        payload: { attendeeSeatId: seatIds.cy },
      },
    )
    expect(settle(took('ann', 0), took('cy', 1), listsAll).statuses).to.deep.equal({
      [idOf('ann')]: 'confirmed',
      [idOf('cy')]: 'canceled',
    })
  })

  it('are not believed to be another person’s', () => {
    const wrong = took('cy', 1, seat('cy', X, seatIds.ann))
    const cys = `x~${hash('cy@example.com')}@1768467660000`
    const settled = settleInAnyOrder(took('ann', 0), wrong)
    expect(settled.statuses).to.deep.equal({ [idOf('ann')]: 'confirmed', [cys]: 'confirmed' })
    expect(settled.told).to.deep.equal([`booking.created ${idOf('ann')}`, `booking.created ${cys}`])
    expect(settled.run.engine.bookings.get(idOf('ann'))?.details.attendee?.email).to.equal('ann@example.com')
    expect(settle(took('ann', 0), wrong, left('cy', 5)).statuses).to.deep.equal({
      [idOf('ann')]: 'confirmed',
      [cys]: 'canceled',
    })
  })

  describe('whose links', () => {
    const page = 'https://app.cal.com'
    const own = (name: Name) => ({
      cancel: `${page}/booking/x?cancel=true&allRemainingBookings=false&seatReferenceUid=${seatIds[name]}`,
      reschedule: `${page}/reschedule/${seatIds[name]}`,
    })
    /** What was told last. */
    const shown = (...bodies: Uint8Array[]) => {
      const { links, seats } = settle(...bodies).run.heard.at(-1)!.announcement.booking
      return { links, seat: seats?.id ?? null }
    }
    const unnamed = (trigger: string, name: Name, more: Record<string, unknown> = {}) =>
      body(trigger, 5, { ...X, ...who(name) }, { payload: more })

    const none = { cancel: null, reschedule: null }
    const nothing = { links: none, seat: null }

    it('would be another person’s are told without any', () => {
      const wrong = took('cy', 1, seat('cy', X, seatIds.ann))
      expect(shown(took('ann', 0), wrong)).to.deep.equal(nothing)
      const { bookings } = settleInAnyOrder(took('ann', 0), wrong).run.engine
      expect([...bookings.values()].map(({ details }) => details.links)).to.have.deep.members([
        own('ann'),
        none,
      ])
    })

    it('would be the whole meeting’s are told without any', () => {
      expect(shown(took('ann', 0), unnamed('BOOKING_CREATED', 'cy'))).to.deep.equal(nothing)
      // Of somebody who is not known in a meeting with seats, and of a meeting of which nobody is known.
      expect(shown(took('ann', 0), unnamed('BOOKING_PAID', 'cy'))).to.deep.equal(nothing)
      expect(shown(unnamed('BOOKING_PAID', 'cy'))).to.deep.equal(nothing)
      expect(shown(unnamed('BOOKING_LOCATION_UPDATED', 'cy'))).to.deep.equal(nothing)
    })

    it('are known keep them, and their seat, where a body does not name it', () => {
      const kept = { links: own('cy'), seat: seatIds.cy }
      for (const later of [
        unnamed('BOOKING_PAID', 'cy'),
        unnamed('BOOKING_PAID', 'cy', { metadata: {} }),
        unnamed('BOOKING_CANCELLED', 'cy'),
        unnamed('BOOKING_REJECTED', 'cy'),
      ])
        expect(shown(took('ann', 0), took('cy', 1), later)).to.deep.equal(kept)
      const accepted = [unnamed('BOOKING_CREATED', 'cy'), body('MEETING_STARTED', 0, { ...X, ...who('cy') })]
      expect(shown(took('cy', 1), ...accepted)).to.deep.equal(kept)
      const unsaid = unnamed('BOOKING_CREATED', 'cy', { seatsPerTimeSlot: undefined })
      expect(shown(took('cy', 1), unsaid, left('cy', 9))).to.deep.equal(kept)
    })
  })

  it('are persons where a create names no seat, and known ones where it lists them again', () => {
    const listed = body('BOOKING_CREATED', 5, {
      ...X,
      ...who('ann'),
      others: [who('cy')],
      guests: ['guest@example.com'],
    })
    const settled = settle(took('ann', 0), listed)
    expect(settled.outcomes).to.deep.equal(['accepted', 'unchanged', 'accepted'])
    expect(Object.keys(settled.statuses)).to.deep.equal([
      idOf('ann'),
      `x~${hash('cy@example.com')}@1768467900000`,
    ])
  })

  it('are one where two webhooks tell it, whichever comes first', () => {
    const copy = (milliseconds: number) => {
      const sent = new Date(Date.UTC(2026, 0, 15, 9, 0, 0, milliseconds))
      return body('BOOKING_CREATED', 0, { ...X, ...who('cy') }, { at: sent })
    }
    const cys = `x~${hash('cy@example.com')}@1768467600000`
    for (const bodies of [
      [copy(0), copy(4)],
      [copy(4), copy(0)],
    ])
      expect(settle(...bodies).told).to.deep.equal([`booking.created ${cys}`])
  })

  it('are read as seats from a body that does not say, where the meeting has some', () => {
    const unsaid = body(
      'BOOKING_CANCELLED',
      10,
      { ...X, ...who('cy') },
      { payload: { seatsPerTimeSlot: undefined } },
    )
    const settled = settleInAnyOrder(took('ann', 0), took('cy', 1), unsaid)
    expect(settled.statuses).to.deep.equal({ [idOf('ann')]: 'confirmed', [idOf('cy')]: 'canceled' })
    const asksAll = body(
      'BOOKING_CANCELLED',
      10,
      { ...X, ...who('ann'), others: [who('cy')] },
      { payload: { seatsPerTimeSlot: undefined }, canceler: { asksForAnotherTime: true } },
    )
    expect(settle(took('ann', 0), took('cy', 1), asksAll).statuses).to.deep.equal({
      [idOf('ann')]: 'canceled',
      [idOf('cy')]: 'canceled',
    })
  })

  describe('that move', () => {
    it('to a time of their own leave the others where they are', () => {
      const bodies = [took('ann', 0), took('cy', 1), moved('cy', 10, X, Y, seatIds.again)]
      const settled = settleInAnyOrder(...bodies)
      expect(settled.statuses).to.deep.equal({
        [idOf('ann')]: 'confirmed',
        [idOf('cy')]: 'rescheduled',
        [idOf('again')]: 'confirmed',
      })
      expect(settled.slots).to.deep.equal([slotOf(X), slotOf(Y)])
      expect(settled.told.at(-1)).to.equal(`booking.rescheduled ${idOf('again')}`)
      expect(settled.run.heard.at(-1)?.announcement.previous?.bookingId).to.equal(idOf('cy'))
    })

    it('to a meeting of others keep their seat, there and back again', () => {
      const bodies = [took('cy', 0), moved('cy', 10, X, Y), moved('cy', 20, Y, X)]
      const settled = settleInAnyOrder(...bodies)
      expect(settled.outcomes).to.deep.equal(['accepted', 'accepted', 'accepted'])
      expect(settled.statuses).to.deep.equal({ [idOf('cy')]: 'confirmed' })
      expect(settled.slots).to.deep.equal([slotOf(X)])
      expect(settled.told).to.deep.equal([
        `booking.created ${idOf('cy')}`,
        `booking.rescheduled ${idOf('cy')}`,
        `booking.rescheduled ${idOf('cy')}`,
      ])
    })

    it('and were not known by their seat, are found by their person', () => {
      const older = body('BOOKING_CREATED', 0, { ...seat('cy'), seat: undefined })
      const settled = settleInAnyOrder(older, moved('cy', 10, X, Y))
      expect(settled.statuses).to.deep.equal({
        [`x~${hash('cy@example.com')}@1768467600000`]: 'rescheduled',
        [idOf('cy')]: 'confirmed',
      })
      expect(settled.slots).to.deep.equal([slotOf(Y)])
    })

    it('and bring others into the list, are the first one’s', () => {
      const others = body(
        'BOOKING_RESCHEDULED',
        10,
        { ...seat('cy', Y), others: [who('dee')], replaces: X },
        { payload: lost },
      )
      const settled = settle(took('cy', 0), took('dee', 1, seat('dee', Y)), others)
      expect(settled.statuses).to.deep.equal({ [idOf('cy')]: 'confirmed', [idOf('dee')]: 'confirmed' })
      expect(settled.slots).to.deep.equal([slotOf(Y)])
    })
  })

  describe('of a meeting that moves', () => {
    const wholeAt = (minute: number, startsAt: Date) =>
      body('BOOKING_RESCHEDULED', minute, { ...X, startsAt, ...who('ann'), replaces: X })

    it('all move with it in place, whoever is listed', () => {
      const settled = settle(took('ann', 0), took('cy', 1), wholeAt(10, at(6, 8)))
      expect(settled.statuses).to.deep.equal({ [idOf('ann')]: 'confirmed', [idOf('cy')]: 'confirmed' })
      expect(settled.slots).to.deep.equal([slotOf({ ...X, startsAt: at(6, 8) })])
      const last = settled.run.heard.slice(2).map(({ announcement }) => announcement)
      expect(
        last.map(({ type, previous, booking }) => [type, previous?.bookingId === booking.id]),
      ).to.deep.equal([
        ['booking.rescheduled', true],
        ['booking.rescheduled', true],
      ])
      expect(last.map(({ booking }) => booking.attendee?.email).sort()).to.deep.equal([
        'ann@example.com',
        'cy@example.com',
      ])
    })

    it('move as often as it does', () => {
      const moves = [wholeAt(10, at(6, 8)), wholeAt(20, at(4, 14)), wholeAt(30, at(6, 8))]
      const settled = settleInAnyOrder(took('ann', 0), ...moves)
      expect(settled.outcomes).to.deep.equal(['accepted', 'accepted', 'accepted', 'accepted'])
      expect(settled.slots).to.deep.equal([slotOf({ ...X, startsAt: at(6, 8) })])
    })

    it('start when they do, not when they were to start before', () => {
      const starts = (startsAt: Date) => body('MEETING_STARTED', 0, { ...X, ...who('ann'), startsAt })
      const settled = settle(took('ann', 0), wholeAt(10, at(6, 8)), starts(at(4, 14)), starts(at(6, 8)))
      expect(settled.outcomes).to.deep.equal(['accepted', 'accepted', 'stale', 'accepted'])
      expect(settled.told.slice(2)).to.deep.equal([`booking.started ${idOf('ann')}`])
    })

    it('have the new time where their create comes late', () => {
      const settled = settleInAnyOrder(wholeAt(10, at(6, 8)), took('ann', 0), took('cy', 1))
      const rows = [...settled.run.engine.bookings.values()].filter(({ status }) => status !== null)
      expect(rows.map(row => row.startsUs)).to.deep.equal([
        at(6, 8).getTime() * 1000,
        at(6, 8).getTime() * 1000,
      ])
    })

    it('onto another meeting go there, and who is there already is closed', () => {
      const onto = body('BOOKING_RESCHEDULED', 10, {
        ...Y,
        ...who('dee'),
        others: [who('ann'), who('cy')],
        replaces: X,
      })
      const settled = settleInAnyOrder(
        took('ann', 0),
        took('cy', 1),
        took('cy', 2, seat('cy', Y, seatIds.again)),
        onto,
      )
      expect(settled.statuses).to.deep.equal({
        [idOf('ann')]: 'confirmed',
        [idOf('cy')]: 'canceled',
        [idOf('again')]: 'confirmed',
      })
      expect(settled.slots).to.deep.equal([slotOf(Y)])
    })

    it('are told of it once, also where a second webhook tells the same', () => {
      const onto = (milliseconds: number) =>
        body(
          'BOOKING_RESCHEDULED',
          10,
          { ...Y, ...who('dee'), others: [who('ann')], replaces: X },
          { at: new Date(Date.UTC(2026, 0, 15, 9, 10, 0, milliseconds)) },
        )
      const settled = settle(took('ann', 0), onto(0), onto(4))
      expect(settled.outcomes).to.deep.equal(['accepted', 'accepted', 'unchanged'])
      expect(settled.told).to.have.length(2)
    })

    it('stay where only one of them is named', () => {
      const one = body('BOOKING_RESCHEDULED', 10, { ...Y, ...who('cy'), replaces: X })
      const settled = settleInAnyOrder(took('ann', 0), took('cy', 1), one)
      expect(settled.slots).to.deep.equal([slotOf(X), slotOf(Y)])
      expect(settled.run.engine.bookings.get(idOf('cy'))).to.include({ meetingId: 'y', status: 'confirmed' })
      expect(settled.run.engine.bookings.get(idOf('ann'))).to.include({ meetingId: 'x', status: 'confirmed' })
    })
  })

  it('share what happens to their meeting, but not each other’s answers', () => {
    const ended = body('MEETING_ENDED', 0, { ...X, ...who('ann') })
    const settled = settle(took('ann', 0), took('cy', 1), ended)
    expect(settled.told.slice(2).sort()).to.deep.equal([
      `booking.ended ${idOf('ann')}`,
      `booking.ended ${idOf('cy')}`,
    ])
    const [ann, cy] = ['ann', 'cy'].map(name => settled.run.engine.bookings.get(idOf(name as Name))?.details)
    expect([ann?.attendee?.email, cy?.attendee?.email]).to.deep.equal(['ann@example.com', 'cy@example.com'])
    expect(cy?.answers.find(({ key }) => key === 'name')?.answer).to.equal('Cy Ng')
  })

  it('are paid by whom the payment names', () => {
    const paid = (minute: number, name: Name, metadata: object) =>
      body('BOOKING_PAID', minute, { ...X, ...who(name), price: 900 }, { payload: { metadata } })
    const seats = [took('ann', 0), took('cy', 1)]
    const payments = (...bodies: Uint8Array[]) => {
      const { bookings } = settle(...seats, ...bodies).run.engine
      return ['ann', 'cy'].map(name => bookings.get(idOf(name as Name))?.payment?.paid ?? null)
    }
    expect(payments(paid(2, 'ann', { bookerEmail: 'CY@example.com' }))).to.deep.equal([null, true])
    expect(payments(paid(2, 'ann', {}))).to.deep.equal([true, null])
    const nobody = body(
      'BOOKING_PAID',
      2,
      { ...X, ...who('ann'), others: [who('cy')] },
      { payload: { metadata: {} } },
    )
    expect(payments(nobody)).to.deep.equal([null, null])
    expect(
      settle(...seats, nobody)
        .told.slice(2)
        .sort(),
    ).to.deep.equal([`booking.paid ${idOf('ann')}`, `booking.paid ${idOf('cy')}`])
    const listsBoth = body(
      'BOOKING_PAID',
      2,
      { ...X, ...who('ann'), others: [who('cy')] },
      { payload: { metadata: { bookerEmail: 'cy@example.com' } } },
    )
    const { bookings } = settle(...seats, listsBoth).run.engine
    expect(bookings.get(idOf('cy'))?.details).to.deep.include({ guests: [] })
    expect(bookings.get(idOf('cy'))?.details.attendee?.name).to.equal('Cy Ng')
    const listsOthers = paid(2, 'ann', { bookerEmail: 'cy@example.com' })
    expect(
      settle(...seats, listsOthers).run.engine.bookings.get(idOf('cy'))?.details.attendee?.name,
    ).to.equal('Cy Ng')
  })

  it('do not answer for each other in bodies that hold the first one’s answers', () => {
    const responses = {
      email: { label: 'email_address', value: 'ann@example.com' },
      x: { label: 'x', value: 'Ann’s' },
    }
    const settled = settle(took('ann', 0), body('BOOKING_CREATED', 1, seat('cy'), { payload: { responses } }))
    expect(settled.run.engine.bookings.get(idOf('cy'))?.details.answers).to.deep.equal([])
  })

  it('may be declined one by one, by seat or by person', () => {
    const declined = body('BOOKING_REJECTED', 5, { ...X, ...who('cy') })
    const settled = settleInAnyOrder(took('ann', 0), took('cy', 1), declined)
    expect(settled.statuses).to.deep.equal({ [idOf('ann')]: 'confirmed', [idOf('cy')]: 'rejected' })
  })

  it('replace the seat whose id stands where a uid should', () => {
    const toY = body('BOOKING_RESCHEDULED', 10, {
      ...seat('cy', Y, seatIds.again),
      replaces: { uid: seatIds.cy },
    })
    expect(settle(took('cy', 0), toY).statuses).to.deep.equal({
      [idOf('cy')]: 'rescheduled',
      [idOf('again')]: 'confirmed',
    })
  })
})
