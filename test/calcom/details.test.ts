import { expect } from 'chai'
import { factsIn, withPayload } from './at.js'
import { examples } from './examples.js'
import { body } from './ledger.js'

const { E1, E3, E7, E10 } = examples
const A = 'bK3mPq7RtVwXyZ2aBcDeFg'
const details = (text: string | Uint8Array) => factsIn(text)[0].details!
const booking = (payload: object) => details(withPayload(E1.body, payload)).booking!

describe('calcom: what describes a booking', () => {
  it('is read from a create', () => {
    const [fact] = factsIn(E1.body)
    expect(fact).to.deep.include({
      kind: 'created',
      target: { kind: 'booking', id: A },
      meetingId: A,
      occurredUs: Date.parse('2026-01-15T09:00:00.538Z') * 1000,
      startsUs: Date.parse('2026-02-03T14:00:00Z') * 1000,
      endsUs: Date.parse('2026-02-03T14:30:00Z') * 1000,
      resources: ['user:11'],
      noShow: null,
      cancellation: null,
    })
    expect(fact.details).to.deep.equal({
      booking: {
        title: 'Intro between Olga Host and Ann Lee',
        hosts: [{ id: '11', name: 'Olga Host', email: 'olga@example.com' }],
        location: { kind: 'video', url: `https://app.cal.com/video/${A}`, text: 'integrations:daily' },
        attendee: { name: 'Ann Lee', email: 'ann@example.com', phone: null, timeZone: 'America/New_York' },
        timeZone: 'America/New_York',
        guests: [{ name: null, email: 'bo@example.com' }],
        answers: [
          { question: 'your_name', answer: 'Ann Lee', key: 'name' },
          { question: 'email_address', answer: 'ann@example.com', key: 'email' },
        ],
        links: {
          cancel: `https://app.cal.com/booking/${A}?cancel=true&allRemainingBookings=false`,
          reschedule: `https://app.cal.com/reschedule/${A}`,
        },
      },
    })
  })

  it('leaves out what the body leaves out, so that what was known stays', () => {
    const said = details(E3.body)
    expect(said.booking).to.not.have.any.keys('location', 'links', 'seats', 'tracking')
    expect(said.cancellationReason).to.equal('cannot attend')
    for (const nothing of [undefined, null, ''])
      expect(
        booking({
          title: nothing,
          eventTitle: nothing,
          organizer: nothing,
          location: nothing,
          metadata: nothing,
        }),
      ).to.not.have.any.keys('title', 'hosts', 'location')
  })

  it('is of the first in the list, also where the booker’s own address is an answer for a guest’s', () => {
    const attendees = [
      { email: 'ann@example.com', name: 'Ann Lee' },
      { email: 'bo@example.com', name: 'Bo Ek' },
    ]
    const responses = { guests: { label: 'guests', value: ['Ann@example.com', 'bo@example.com'] } }
    const said = booking({ attendees, responses })
    expect(said.attendee?.name).to.equal('Ann Lee')
    expect(said.guests).to.deep.equal([{ name: 'Bo Ek', email: 'bo@example.com' }])
    const named = booking({
      attendees,
      responses: { guests: { label: 'guests', value: ['ann@example.com'] } },
    })
    expect(named.attendee?.name).to.equal('Ann Lee')
  })

  it('says where: a join URL, a URL, or words', () => {
    expect(booking({ metadata: {} }).location).to.deep.equal({
      kind: 'video',
      url: null,
      text: 'integrations:daily',
    })
    expect(
      booking({ metadata: {}, videoCallData: { url: 'https://meet.example.com/x' } }).location?.url,
    ).to.equal('https://meet.example.com/x')
    expect(booking({ location: 'https://meet.example.com/y' }).location).to.deep.equal({
      kind: 'video',
      url: 'https://meet.example.com/y',
      text: null,
    })
    expect(booking({ location: '+49 30 1234' }).location).to.deep.equal({
      kind: 'other',
      url: null,
      text: '+49 30 1234',
    })
  })

  it('links only to where the attendee may go', () => {
    expect(booking({ platformClientId: 'platform' })).to.not.have.property('links')
    expect(booking({ bookerUrl: undefined })).to.not.have.property('links')
    expect(booking({ bookerUrl: 'javascript:alert(1)' })).to.not.have.property('links')
    expect(booking({ disableCancelling: true, bookerUrl: 'https://cal.example.com/' }).links).to.deep.equal({
      cancel: null,
      reschedule: `https://cal.example.com/reschedule/${A}`,
    })
    const seat = '22222222-2222-4222-8222-222222222222'
    expect(details(E7.body).booking?.links).to.deep.equal({
      cancel: `https://app.cal.com/booking/eN6qStAUwYzA5dEfGhJkLm?cancel=true&allRemainingBookings=false&seatReferenceUid=${seat}`,
      reschedule: `https://app.cal.com/reschedule/${seat}`,
    })
  })

  it('answers in words, whatever the form of the value', () => {
    const answers = (responses: unknown) =>
      booking({ responses }).answers?.map(({ key, answer }) => [key, answer])
    expect(
      answers({
        text: { label: 'l', value: 'yes' },
        number: { label: 'l', value: 7 },
        choices: { label: 'l', value: ['a', 'b'] },
        name: { label: 'l', value: { firstName: 'Ann', lastName: 'Lee' } },
        place: { label: 'l', value: { optionValue: '', value: 'integrations:daily' } },
        empty: { label: 'l', value: '' },
        none: { label: 'l' },
        raw: 'bare',
      }),
    ).to.deep.equal([
      ['text', 'yes'],
      ['number', '7'],
      ['choices', 'a, b'],
      ['name', 'Ann Lee'],
      ['place', 'integrations:daily'],
      ['raw', 'bare'],
    ])
  })

  it('names the organizer first, then the team, each once', () => {
    const members = [
      { id: 12, name: 'Omar Host', email: 'omar@example.com' },
      { name: 'Olga again', email: 'Olga@example.com' },
    ]
    expect(booking({ team: { members } }).hosts).to.deep.equal([
      { id: '11', name: 'Olga Host', email: 'olga@example.com' },
      { id: '12', name: 'Omar Host', email: 'omar@example.com' },
    ])
    const [fact] = factsIn(withPayload(E1.body, { organizer: { email: ' Olga@Example.com', name: 'Olga' } }))
    expect(fact.resources).to.deep.equal(['email:olga@example.com'])
    expect(details(E10.body).booking?.hosts).to.deep.equal([
      { id: '11', name: 'Olga Host', email: 'olga@example.com' },
    ])
  })

  it('counts money in major units, by the currency’s own digits', () => {
    const payment = (price: unknown, currency: unknown) =>
      details(body('BOOKING_PAID', 0, {}, { payload: { price, currency } })).payment
    expect(payment(5_050, 'usd')).to.deep.equal({
      amount: '50.50',
      currency: 'USD',
      paid: true,
      reference: '501',
    })
    expect(payment(5_050, 'JPY')?.amount).to.equal('5050')
    expect(payment(5_050, 'no currency')?.amount).to.equal('50.50')
    expect(payment('5', null)).to.include({ amount: null, currency: null, paid: true })
  })

  it('tells the price of a create, and leaves open whether it was paid', () => {
    expect(details(withPayload(E1.body, { price: 5_000, currency: 'USD' })).payment).to.deep.equal({
      amount: '50.00',
      currency: 'USD',
      paid: null,
      reference: null,
    })
    expect(details(E1.body)).to.not.have.property('payment')
  })

  it('occurs on arrival where no time can be read', () => {
    expect(factsIn(withPayload(E1.body, {}, { createdAt: 'yesterday' }))[0].occurredUs).to.equal(null)
  })
})
