import { expect } from 'chai'
import { id, type Studio, studio } from './studio.js'

const A = { datetime: '2027-03-10T10:15:00-0800' }
const B = { datetime: '2027-03-17T10:15:00-0700' }
const C = { datetime: '2027-03-18T10:15:00-0700' }
const created = 'booking.created 2027-03-10T18:15'
const toB = 'booking.rescheduled 2027-03-17T17:15'
const canceled = { canceled: true, canClientCancel: false, canClientReschedule: false }
const missed = { ...canceled, noShow: true }

describe('the history of an appointment', () => {
  let salon: Studio
  beforeEach(async () => {
    salon = await studio()
  })
  afterEach(() => salon.end())

  it('tells two moves that sent the same bytes as two, each with the time before', async () => {
    await salon.settle('scheduled', A)
    await salon.settle('rescheduled', B)
    await salon.settle('rescheduled', C)
    expect(salon.heard()).to.deep.equal([created, toB, 'booking.rescheduled 2027-03-18T17:15'])
    expect(salon.told.map(({ event }) => event.previous?.startsAt ?? null)).to.deep.equal([
      null,
      '2027-03-10T18:15:00.000000Z',
      '2027-03-17T17:15:00.000000Z',
    ])
    expect(new Set(salon.told.map(({ event }) => event.id)).size).to.equal(3)
    expect(salon.told[2].event.previous?.bookingId).to.equal(String(id))
  })

  it('tells nothing of a retry', async () => {
    await salon.settle('scheduled', A)
    await salon.settle('rescheduled', B)
    for (let retry = 0; retry < 3; retry += 1) await salon.settle('rescheduled')
    expect(salon.heard()).to.deep.equal([created, toB])
    expect(await salon.outcomes()).to.deep.equal([
      'accepted',
      'accepted',
      'unchanged',
      'unchanged',
      'unchanged',
    ])
  })

  it('tells another class at the same time as an update, which takes the slot along', async () => {
    await salon.settle('scheduled', { ...A, classID: 77001 })
    await salon.settle('changed', { classID: 77002 })
    expect(salon.heard()).to.deep.equal([created, 'booking.updated 2027-03-10T18:15'])
    const meeting = 'class:77002:40001@2027-03-10T18:15:00.000000Z'
    expect(salon.told[1].event).to.deep.include({ previous: null })
    expect(salon.told[1].event.booking?.meetingId).to.equal(meeting)
    expect(salon.slots()).to.deep.equal([`40001 2027-03-10T18:15 ${meeting}`])
    await salon.settle('changed', { classID: 77003, calendarID: 40002, calendar: 'Sam Ortiz' })
    await salon.settle('changed', { classID: null, ...B })
    expect(salon.heard().slice(2)).to.deep.equal(['booking.rescheduled 2027-03-10T18:15', toB])
  })

  it('tells a way there and a way back, if each was seen', async () => {
    await salon.settle('scheduled', A)
    await salon.settle('rescheduled', B)
    await salon.settle('rescheduled', A)
    expect(salon.heard()).to.deep.equal([created, toB, 'booking.rescheduled 2027-03-10T18:15'])
    await salon.poke('rescheduled', B)
    await salon.settle('rescheduled', A)
    expect(salon.heard()).to.have.length(3)
  })

  it('asks once for pokes that wait together, and tells one event', async () => {
    await salon.settle('scheduled', A)
    await salon.poke('rescheduled', B)
    await salon.poke('rescheduled')
    await salon.settle('changed')
    expect(salon.fake.calls).to.have.length(2)
    expect(salon.heard()).to.deep.equal([created, toB])
    expect(await salon.outcomes()).to.deep.equal(['accepted', 'accepted', 'unchanged', 'unchanged'])
  })

  for (const order of [
    ['scheduled', 'changed'],
    ['changed', 'scheduled'],
    ['changed', 'scheduled', 'changed', 'appointment.scheduled'],
  ])
    it(`is created once by ${order.join(', ')}`, async () => {
      for (const action of order) await salon.settle(action)
      expect(salon.heard()).to.deep.equal([created])
      expect(salon.told[0].event).to.deep.include({
        providerType: order[0],
        occurredAt: '2027-03-01T14:04:05.000000Z',
        occurredAtSource: 'provider',
        receivedAt: '2027-03-01T14:05:00.000000Z',
      })
    })

  it('tells another answer as an update and leaves the slot alone; a right that lapses is nothing', async () => {
    await salon.settle('scheduled')
    const slots = salon.slots()
    const forms = [{ id: 300, name: 'Intake', values: [{ fieldID: 301, name: 'First visit?', value: 'no' }] }]
    await salon.settle('changed', { forms })
    expect(salon.told[1].event.type).to.equal('booking.updated')
    expect(salon.told[1].event.booking?.answers[0]?.answer).to.equal('no')
    await salon.settle('changed', { canClientCancel: false })
    expect(salon.told).to.have.length(2)
    expect(salon.slots()).to.deep.equal(slots)
  })

  it('tells a label and a note, which change nothing of the booking itself', async () => {
    await salon.settle('scheduled')
    await salon.settle('changed', { labels: [{ id: 3, name: 'VIP' }] })
    await salon.settle('changed', { notes: 'a\r\nb' })
    expect(salon.told.slice(1).map(({ event }) => event.type)).to.deep.equal([
      'booking.updated',
      'booking.updated',
    ])
    expect(salon.told[2].event.raw).to.have.nested.property('appointment.notes', 'a\r\nb')
  })

  it('sees a cancel behind a poke that says something else', async () => {
    await salon.settle('scheduled')
    await salon.settle('changed', canceled)
    expect(salon.told[1].event).to.deep.include({
      type: 'booking.canceled',
      providerType: 'changed',
      cancellation: { by: 'unknown', reason: null, rescheduleRequested: false },
      occurredAtSource: 'received',
    })
    expect(salon.slots()).to.deep.equal([])
  })

  it('tells a no-show as a cancel that says so, then as a no-show', async () => {
    await salon.settle('scheduled')
    await salon.settle('canceled', missed)
    const told = salon.told
      .slice(1)
      .map(({ event }) => [event.type, event.booking?.status, event.booking?.noShow])
    expect(told).to.deep.equal([
      ['booking.canceled', 'canceled', true],
      ['booking.no_show', 'canceled', true],
    ])
    expect(new Set(salon.told.map(({ event }) => event.id)).size).to.equal(3)
  })

  it('tells a no-show marked later, and one taken back as an update', async () => {
    await salon.settle('scheduled')
    await salon.settle('canceled', canceled)
    await salon.settle('changed', { noShow: true })
    await salon.settle('changed', { noShow: false })
    expect(salon.told.slice(1).map(({ event }) => [event.type, event.booking?.noShow])).to.deep.equal([
      ['booking.canceled', false],
      ['booking.no_show', true],
      ['booking.updated', false],
    ])
  })

  it('finds nothing new in a create that comes after the cancel', async () => {
    await salon.settle('canceled', canceled)
    await salon.settle('scheduled')
    expect(salon.heard()).to.deep.equal(['booking.canceled 2027-03-10T18:15'])
    expect(await salon.outcomes()).to.deep.equal(['accepted', 'unchanged'])
    expect(await salon.booking()).to.include({ status: 'canceled' })
  })

  it('tells one that was moved and canceled between two looks as canceled, at the time that was told', async () => {
    await salon.settle('scheduled', A)
    await salon.poke('rescheduled', B)
    await salon.settle('canceled', canceled)
    expect(salon.heard()).to.deep.equal([created, 'booking.canceled 2027-03-10T18:15'])
    expect(salon.slots()).to.deep.equal([])
  })

  it('refuses, loudly, one that lives again, and keeps what is stored', async () => {
    await salon.settle('scheduled')
    await salon.settle('canceled', missed)
    await salon.settle('changed', { canceled: false, noShow: false, email: 'eve@example.com' })
    expect((await salon.outcomes()).at(-1)).to.equal('refused')
    expect(salon.lines.some(({ level, message }) => level === 'warn' && message === 'refused')).to.equal(true)
    expect(await salon.booking()).to.deep.include({ status: 'canceled', noShow: true })
    await salon.settle('changed', { ...missed, email: 'ada@example.com' })
    expect((await salon.outcomes()).at(-1)).to.equal('unchanged')
  })

  it('keeps the end in step with the duration', async () => {
    await salon.settle('scheduled')
    await salon.settle('changed', { duration: '90' })
    expect(salon.told[1].event).to.deep.include({ type: 'booking.updated' })
    expect(salon.told[1].event.booking?.endsAt).to.equal('2027-03-10T19:45:00.000000Z')
  })

  it('takes a move for newer than the creation although our clock is slow', async () => {
    salon.clock.pass(-5 * 60_000)
    await salon.settle('scheduled', A)
    await salon.settle('rescheduled', B)
    expect(salon.heard()).to.deep.equal([created, toB])
    expect(salon.told[1].event.occurredAt).to.equal('2027-03-01T14:04:05.000001Z')
  })

  it('tells a booking by staff that names nobody', async () => {
    await salon.settle('scheduled', {
      firstName: '',
      lastName: '',
      email: '',
      phone: '',
      scheduledBy: 'grace@example.com',
    })
    expect(salon.told[0].event.booking?.attendee).to.equal(null)
  })

  it('leaves the appointment of an order’s number alone', async () => {
    await salon.settle('scheduled')
    await salon.settle('order.completed')
    await salon.settle('order.completed')
    expect(salon.fake.calls).to.have.length(1)
    expect(salon.told.map(({ event }) => event.type)).to.deep.equal([
      'booking.created',
      'provider.order.completed',
    ])
    expect((await salon.events()).map(row => row.deliveries)).to.deep.equal([1, 2])
  })
})

describe('an appointment older than the installation', () => {
  let salon: Studio
  beforeEach(async () => {
    salon = await studio({ acuity: { since: '2027-03-01T14:04:06Z' } })
  })
  afterEach(() => salon.end())

  it('is told as a move without a time before, where Acuity says it moved', async () => {
    await salon.settle('rescheduled', B)
    expect(salon.heard()).to.deep.equal([toB])
    expect(salon.told[0].event.previous).to.deep.equal({
      bookingId: String(id),
      startsAt: null,
      endsAt: null,
      hosts: [],
    })
    expect(salon.slots()).to.deep.equal([`40001 2027-03-17T17:15 ${id}`])
  })

  it('is told as an update else, and from then on like any other', async () => {
    await salon.settle('scheduled', A)
    await salon.settle('changed')
    await salon.settle('rescheduled', B)
    await salon.settle('canceled', canceled)
    expect(salon.heard()).to.deep.equal([
      'booking.updated 2027-03-10T18:15',
      toB,
      'booking.canceled 2027-03-17T17:15',
    ])
  })

  it('guards its slot from then on', async () => {
    await salon.settle('changed', A)
    await salon.settle('scheduled', { id: 2, ...A, datetimeCreated: '2027-03-01T08:04:07-0600' })
    expect(salon.heard().at(-1)).to.equal('booking.conflict 2027-03-10T18:15')
    await salon.settle('canceled', canceled)
    expect(salon.heard()).to.deep.equal([
      'booking.updated 2027-03-10T18:15',
      'booking.conflict 2027-03-10T18:15',
      'booking.canceled 2027-03-10T18:15',
      'booking.created 2027-03-10T18:15',
    ])
    expect(salon.slots()).to.deep.equal(['40001 2027-03-10T18:15 2'])
  })

  it('waits where another one has its slot, and is not told as new when it gets it', async () => {
    const newer = { id: 2, ...A, datetimeCreated: '2027-03-01T08:04:07-0600' }
    await salon.settle('scheduled', newer)
    await salon.settle('changed', A)
    expect(salon.told.at(-1)!.event).to.deep.include({
      type: 'booking.conflict',
      conflict: { wanted: 'booking.rescheduled', with: ['2'] },
    })
    await salon.settle('canceled', { ...newer, ...canceled })
    expect(salon.heard()).to.deep.equal([
      'booking.created 2027-03-10T18:15',
      'booking.conflict 2027-03-10T18:15',
      'booking.canceled 2027-03-10T18:15',
      'booking.rescheduled 2027-03-10T18:15',
    ])
  })

  it('is told once of a class, whose other attendees are told each for themselves', async () => {
    const yoga = { classID: 77001, ...A }
    await salon.settle('changed', yoga)
    await salon.settle('changed', { id: 2, ...yoga })
    await salon.settle('scheduled', { id: 3, ...yoga, datetimeCreated: '2027-03-01T08:04:07-0600' })
    expect(salon.told.map(({ event }) => `${event.type} ${event.booking?.id}`)).to.deep.equal([
      `booking.updated ${id}`,
      'booking.updated 2',
      'booking.created 3',
    ])
  })

  it('is told as canceled where it is', async () => {
    await salon.settle('canceled', canceled)
    expect(salon.heard()).to.deep.equal(['booking.canceled 2027-03-10T18:15'])
  })
})

describe('an account without credentials for the API', () => {
  it('passes on what was sent, every time, and books nothing', async () => {
    const salon = await studio({ acuity: { userId: undefined } })
    try {
      await salon.settle('appointment.scheduled')
      await salon.settle('appointment.scheduled')
      expect(salon.told.map(({ event }) => [event.type, event.booking])).to.deep.equal([
        ['provider.appointment.scheduled', null],
        ['provider.appointment.scheduled', null],
      ])
      expect(salon.fake.calls).to.deep.equal([])
      expect((await salon.inbox.bookings()).rows).to.deep.equal([])
    } finally {
      await salon.end()
    }
  })
})
