import { expect } from 'chai'
import { appointment, type Changes, fact, interpreted, kinds } from './interpreted.js'

const first = (changes: Changes = {}) => fact(appointment(changes), null)

describe('the fields of an appointment', () => {
  it('become those of a booking', () => {
    expect(first()).to.deep.include({
      kind: 'created',
      target: { kind: 'booking', id: '510200301' },
      occurredAt: '2027-03-01T14:04:05.000000Z',
      startsAt: '2027-03-10T18:15:00.000000Z',
      endsAt: '2027-03-10T19:15:00.000000Z',
      meetingId: '510200301',
      resources: ['40001'],
      noShow: false,
      cancellation: null,
      previous: null,
      alias: null,
    })
    const page = 'https://app.acuityscheduling.com/schedule.php?owner=1000001&action=appt&id%5B%5D=EXAMPLE'
    expect(first().details).to.deep.equal({
      booking: {
        title: 'Consultation',
        timeZone: 'Europe/Berlin',
        hosts: [{ id: '40001', name: 'Grace Okafor', email: null }],
        attendee: {
          name: 'Ada Lindqvist',
          email: 'ada@example.com',
          phone: '+15555550123',
          timeZone: 'Europe/Berlin',
        },
        guests: [],
        location: { kind: 'other', url: null, text: '12 Example Street' },
        answers: [{ question: 'First visit?', answer: 'yes', key: '301' }],
        tracking: null,
        links: { cancel: page, reschedule: page },
        seats: null,
      },
      payment: { amount: '80.00', currency: null, paid: false, reference: null },
    })
  })

  it('keep the notification and the whole answer as raw', () => {
    const [one] = interpreted(appointment({ notes: 'a\r\nb' }), null)
    expect('raw' in one && one.raw).to.deep.equal({
      notification: {
        action: 'changed',
        id: '510200301',
        calendarID: '40001',
        appointmentTypeID: '70002',
      },
      appointment: appointment({ notes: 'a\r\nb' }),
    })
  })

  it('are null where Acuity writes an empty text', () => {
    const walkIn = { firstName: 'Walk', lastName: 'In', email: '', phone: '' }
    expect(first(walkIn).details?.booking?.attendee).to.deep.include({
      name: 'Walk In',
      email: null,
      phone: null,
    })
    const nobody = { firstName: ' ', lastName: '', email: '', phone: '' }
    expect(first(nobody).details?.booking?.attendee).to.equal(null)
    expect(first({ firstName: '', lastName: 'Lindqvist ' }).details?.booking?.attendee?.name).to.equal(
      'Lindqvist',
    )
    expect(first({ location: '' }).details?.booking?.location).to.equal(null)
  })

  it('hold a link only where the whole location is one', () => {
    const location = (text: string) => first({ location: text }).details?.booking?.location
    expect(location('https://meet.example.com/a')).to.deep.include({ url: 'https://meet.example.com/a' })
    expect(location('Join at https://meet.example.com/a')).to.deep.include({ url: null })
    expect(location('https://meet.example.com/a room 3')).to.deep.include({ url: null })
    expect(location('javascript:alert(1)')).to.deep.include({ url: null })
  })

  it('offer links only to a client who may use them', () => {
    const links = first({ canClientCancel: false }).details?.booking?.links
    expect(links?.cancel).to.equal(null)
    expect(links?.reschedule).to.be.a('string')
  })

  it('leave answers out where the forms were left out, so that those known stay', () => {
    expect(first({ forms: undefined }).details?.booking).to.not.have.property('answers')
    expect(first({ forms: [] }).details?.booking?.answers).to.deep.equal([])
  })

  it('guard nothing without a calendar', () => {
    expect(first({ calendarID: null })).to.deep.include({ resources: [] })
    expect(first({ calendarID: null }).details?.booking?.hosts).to.deep.equal([])
  })

  it('make the attendees of one offering of a class share a meeting', () => {
    const yoga = { classID: 77001, datetime: '2027-03-11T18:00:00-0800', duration: '45' }
    expect(first(yoga).meetingId).to.equal('class:77001:40001@2027-03-12T02:00:00.000000Z')
  })

  it('say who canceled nowhere', () => {
    expect(first({ canceled: true })).to.deep.include({
      kind: 'canceled',
      cancellation: { by: 'unknown', rescheduleRequested: false },
      occurredAt: null,
    })
  })
})

describe('the times of an appointment', () => {
  it('are instants, whatever the offset', () => {
    expect(first({ datetime: '2026-05-26T16:00:00-0600' }).startsAt).to.equal('2026-05-26T22:00:00.000000Z')
    expect(first({ datetime: '2027-03-17T10:15:00-07:00' }).startsAt).to.equal('2027-03-17T17:15:00.000000Z')
  })

  for (const datetime of [
    '2027-02-30T10:00:00-0800',
    '2027-03-10T10:15:00',
    'March 10, 2027',
    '',
    null,
    7,
    '9999-01-01T00:00:00Z',
  ])
    it(`are never guessed: ${JSON.stringify(datetime)}`, () => {
      expect(kinds(appointment({ datetime: datetime as string }), null)).to.deep.equal(['unreadable'])
    })

  it('end by the duration in elapsed minutes, or nobody knows when', () => {
    const night = { datetime: '2027-03-14T01:30:00-0800', duration: '60' }
    expect(first(night).endsAt).to.equal('2027-03-14T10:30:00.000000Z')
    for (const duration of ['', '1h', '-5', null, undefined])
      expect(first({ duration }).endsAt).to.equal(null)
  })

  it('are never read from words', () => {
    const words = { date: 'July 4, 1999', time: '09:00', endTime: '11:15am', dateCreated: 'March 1, 2027' }
    expect(first(words)).to.deep.equal(first())
    const before = process.env.TZ
    process.env.TZ = 'America/New_York'
    try {
      expect(first(words)).to.deep.equal(first())
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
  })

  it('belong to an answer about this appointment, with flags that are flags', () => {
    for (const answer of [
      null,
      [],
      'x',
      { ...appointment(), id: 5 },
      appointment({ canceled: 'yes' as unknown as boolean }),
    ])
      if (answer !== null) expect(kinds(answer, null)).to.deep.equal(['unreadable'])
  })
})
