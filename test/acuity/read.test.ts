import { acuity } from '@booking-webhooks/acuity'
import { expect } from 'chai'
import fc from 'fast-check'
import { request, stored } from './requests.js'

const adapter = acuity({ apiKey: 'test-key-1', userId: '1000001' })

function readingOf(body: string | Uint8Array) {
  const read = adapter.read(request(body), { hash: text => text })
  if (!('readings' in read)) throw new Error('a reply')
  expect(read.readings).to.have.length(1)
  return read.readings[0]
}

describe('read: what a request of Acuity says', () => {
  it('takes both spellings of an action as the same poke', () => {
    const short = readingOf('action=canceled&id=7&calendarID=1&appointmentTypeID=2')
    const dotted = readingOf('action=appointment.canceled&id=7&calendarID=1&appointmentTypeID=2')
    expect(short).to.deep.equal({
      dedupeKey: null,
      lane: 'appointment:7',
      providerType: 'canceled',
      type: null,
      bookingId: '7',
      meetingId: null,
      occurredUs: null,
      unreadable: null,
    })
    expect(dotted).to.deep.equal({ ...short, providerType: 'appointment.canceled' })
  })

  it('reads the fields in any order', () => {
    const reading = readingOf('id=7&appointmentTypeID=2&action=changed&calendarID=1')
    expect(reading.bookingId).to.equal('7')
    expect(reading.providerType).to.equal('changed')
  })

  it('gives a poke no key: a retry and a second change are the same bytes', () => {
    for (const action of ['scheduled', 'rescheduled', 'canceled', 'changed'])
      expect(readingOf(`action=${action}&id=7`).dedupeKey).to.equal(null)
  })

  it('keeps an order apart from the appointment of the same number, and counts its repeats', () => {
    const order = readingOf('action=order.completed&id=99')
    expect(order).to.deep.include({
      type: 'provider.order.completed',
      bookingId: null,
      dedupeKey: 'order:99:completed',
    })
    expect(order.lane).to.not.equal(readingOf('action=changed&id=99').lane)
    expect(adapter.needsFetch?.(stored('action=order.completed&id=99'))).to.equal(false)
    expect(adapter.needsFetch?.(stored('action=changed&id=99'))).to.equal(true)
  })

  it('looks at the appointment for an action it does not know, and passes the rest on by name', () => {
    expect(readingOf('action=relabeled&id=7&appointmentTypeID=2')).to.deep.include({
      bookingId: '7',
      type: null,
    })
    expect(readingOf('action=class.opened&id=7')).to.deep.include({
      bookingId: null,
      type: 'provider.class.opened',
    })
    expect(readingOf('action=Canceled&id=7').type).to.equal('provider.Canceled')
  })

  const senseless = [
    'action=changed&id=../me',
    'action=changed&id=5&id=6',
    'action=changed&id=',
    'action=changed&id=12abc',
    'action=changed&id=0x10',
    'action=changed&id=0',
    'action=changed&id=-5',
    'action=changed&id=5%00',
    'action=changed&id=12345678901234567890',
    'action=changed',
    'id=5',
    'action=&id=5',
    'action=changed&action=canceled&id=5',
    'action=a%0Ab&id=5',
    '',
    '{"action":"changed","id":5}',
  ]
  for (const body of senseless)
    it(`cannot read ${JSON.stringify(body)}, says so, and asks nobody`, () => {
      const reading = readingOf(body)
      expect(reading.unreadable).to.be.a('string')
      expect(reading.bookingId).to.equal(null)
      expect(reading.dedupeKey).to.match(/^unreadable:sha256:[0-9a-f]{64}$/)
      expect(adapter.needsFetch?.(stored(body))).to.equal(false)
      expect(adapter.interpret(stored(body), null, null, { connectedUs: 0, hash: t => t })).to.deep.equal([
        { key: 'poke:1', unreadable: reading.unreadable },
      ])
    })

  it('never throws, whatever was signed', () => {
    const fields = fc.array(
      fc.tuple(fc.constantFrom('action', 'id', 'calendarID', 'appointmentTypeID', '__proto__'), fc.string()),
    )
    const bodies = fc.oneof(
      fc.uint8Array(),
      fields.map(pairs => Buffer.from(new URLSearchParams(pairs).toString())),
    )
    fc.assert(
      fc.property(bodies, fc.jsonValue(), (body, answer) => {
        const reading = readingOf(body)
        expect(reading.bookingId ?? '1').to.match(/^[1-9]\d{0,18}$/)
        const meant = adapter.interpret(stored(body), answer, null, { connectedUs: 0, hash: t => t })
        expect(meant).to.have.length.within(1, 2)
        JSON.stringify(meant)
      }),
    )
  })
})

describe('read: without credentials for the API', () => {
  const blind = acuity({ apiKey: 'test-key-1' })

  it('passes a poke on under its normalized name, with the fields that were sent and nothing made up', () => {
    const body = 'action=appointment.canceled&id=7&calendarID=1&appointmentTypeID=2'
    expect(blind.needsFetch?.(stored(body))).to.equal(false)
    expect(blind.interpret(stored(body), null, null, { connectedUs: 0, hash: t => t })).to.deep.equal([
      {
        key: 'poke:1',
        type: 'provider.appointment.canceled',
        occurredUs: null,
        raw: {
          notification: {
            action: 'appointment.canceled',
            id: '7',
            calendarID: '1',
            appointmentTypeID: '2',
          },
          appointment: null,
        },
      },
    ])
  })
})
