import { expect } from 'chai'
import fc from 'fast-check'
import { adapter, factsIn, hash, readingsOf, stored, told, withPayload } from './at.js'
import { type Example, examples } from './examples.js'

const { E1, E2, E3, E4, E5, E6, E7, E8, E9, E10, E11 } = examples
const ann = hash('ann@example.com')
const cy = hash('cy@example.com')

describe('calcom: what a body tells', () => {
  const expected: [Example, type: string, key: string, bookingId: string | null, uid: string | null][] = [
    [
      E1,
      'booking.created',
      'CREATED|bK3mPq7RtVwXyZ2aBcDeFg',
      'bK3mPq7RtVwXyZ2aBcDeFg',
      'bK3mPq7RtVwXyZ2aBcDeFg',
    ],
    [
      E2,
      'booking.rescheduled',
      'RESCHEDULED|cL4nQr8SuWxYz3bCdEfGhJ',
      'cL4nQr8SuWxYz3bCdEfGhJ',
      'cL4nQr8SuWxYz3bCdEfGhJ',
    ],
    [
      E3,
      'booking.canceled',
      'CANCELLED|cL4nQr8SuWxYz3bCdEfGhJ',
      'cL4nQr8SuWxYz3bCdEfGhJ',
      'cL4nQr8SuWxYz3bCdEfGhJ',
    ],
    [
      E4,
      'booking.canceled',
      `CANCELLED|bK3mPq7RtVwXyZ2aBcDeFg~${ann}|1768550400900`,
      'bK3mPq7RtVwXyZ2aBcDeFg',
      'bK3mPq7RtVwXyZ2aBcDeFg',
    ],
    [
      E5,
      'booking.requested',
      'REQUESTED|dM5pRs9TvXyZ4cDeFgHjKk',
      'dM5pRs9TvXyZ4cDeFgHjKk',
      'dM5pRs9TvXyZ4cDeFgHjKk',
    ],
    [
      E6,
      'booking.created',
      'CREATED|dM5pRs9TvXyZ4cDeFgHjKk',
      'dM5pRs9TvXyZ4cDeFgHjKk',
      'dM5pRs9TvXyZ4cDeFgHjKk',
    ],
    [
      E7,
      'booking.created',
      `CREATED|seat:22222222-2222-4222-8222-222222222222|${cy}`,
      'seat:22222222-2222-4222-8222-222222222222',
      'eN6qStAUwYzA5dEfGhJkLm',
    ],
    [
      E8,
      'booking.canceled',
      `CANCELLED|eN6qStAUwYzA5dEfGhJkLm~${cy}|1768719600000`,
      null,
      'eN6qStAUwYzA5dEfGhJkLm',
    ],
    [
      E9,
      'booking.no_show',
      `NO_SHOW|cL4nQr8SuWxYz3bCdEfGhJ~${ann}|true|1770307200774`,
      'cL4nQr8SuWxYz3bCdEfGhJ',
      'cL4nQr8SuWxYz3bCdEfGhJ',
    ],
    [
      E10,
      'booking.ended',
      'MEETING_ENDED|cL4nQr8SuWxYz3bCdEfGhJ*|1770305400000',
      null,
      'cL4nQr8SuWxYz3bCdEfGhJ',
    ],
  ]
  for (const [{ says, body }, type, dedupeKey, bookingId, uid] of expected)
    it(`${says}: one ${type}`, () => {
      const readings = readingsOf(body)
      expect(readings).to.have.length(1)
      expect(readings[0]).to.include({
        type,
        dedupeKey,
        bookingId,
        meetingId: uid,
        lane: uid,
        unreadable: null,
      })
      expect(readings[0].providerType).to.equal(JSON.parse(body).triggerEvent)
      expect(told(body)[0].key).to.equal(dedupeKey)
    })

  it('passes a ping and unknown triggers on under their own names, about no booking', () => {
    expect(readingsOf(E11.body)[0]).to.include({ type: 'provider.PING', bookingId: null, unreadable: null })
    expect(told(E11.body)[0]).to.include({ type: 'provider.PING' })
    const foo = withPayload(E1.body, {}, { triggerEvent: 'BOOKING_FOO' })
    expect(told(foo)[0]).to.include({ type: 'provider.BOOKING_FOO', occurredUs: 1768467600538000 })
    for (const trigger of ['constructor', '__proto__', 'toString'])
      expect(told(withPayload(E1.body, {}, { triggerEvent: trigger }))[0]).to.include({
        type: `provider.${trigger}`,
      })
  })

  it('knows the triggers that are about a booking and change none', () => {
    for (const trigger of [
      'BOOKING_PAYMENT_INITIATED',
      'AFTER_HOSTS_CAL_VIDEO_NO_SHOW',
      'AFTER_GUESTS_CAL_VIDEO_NO_SHOW',
      'RECORDING_READY',
      'RECORDING_TRANSCRIPTION_GENERATED',
      'INSTANT_MEETING',
      'WRONG_ASSIGNMENT_REPORT',
      'CALENDAR_ENTRY_REJECTED',
      'FORM_SUBMITTED',
      'FORM_SUBMITTED_NO_EVENT',
      'ROUTING_FORM_FALLBACK_HIT',
      'OOO_CREATED',
      'DELEGATION_CREDENTIAL_ERROR',
    ])
      expect(told(withPayload(E1.body, {}, { triggerEvent: trigger }))[0]).to.have.property(
        'type',
        `provider.${trigger}`,
      )
  })

  it('lets the envelope win over a form field of the same name, and keeps odd names as data', () => {
    const body = `{"triggerEvent":"FORM_SUBMITTED","createdAt":"2026-01-15T09:00:00.000Z","payload":{"formId":"f"},"uid":"x","__proto__":{"polluted":true}}`
    expect(told(body)[0]).to.include({ type: 'provider.FORM_SUBMITTED' })
    const slugs = `{"triggerEvent":"BOOKING_CREATED","createdAt":"2026-01-15T09:00:00.000Z","payload":{"uid":"u","seatsPerTimeSlot":null,"attendees":[{"name":"A","email":"a@example.com"}],"responses":{"__proto__":{"label":"l","value":"v"},"constructor":{"label":"l","value":"v"}}}}`
    expect(factsIn(slugs)[0].details?.booking?.answers).to.deep.include({
      key: 'constructor',
      question: 'l',
      answer: 'v',
    })
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined)
  })

  it('keeps as unreadable what makes no sense, each under its own bytes', () => {
    const senseless = [
      examples.broken.body,
      examples.form.body,
      '[]',
      'null',
      '"x"',
      '{}',
      '',
      Buffer.from([0xff, 0xfe]),
      withPayload(E1.body, { uid: undefined }),
      withPayload(E1.body, { uid: '' }),
      withPayload(E1.body, { uid: 7 }),
      withPayload(E1.body, { uid: 'x'.repeat(256) }),
      withPayload(E1.body, { uid: 'a\u0000b' }),
      withPayload(E9.body, { attendees: [] }),
    ]
    const keys = new Set<string | null>()
    for (const body of senseless) {
      const [reading] = readingsOf(body)
      expect(reading.unreadable, String(body)).to.be.a('string')
      expect(reading).to.include({ type: null, bookingId: null })
      expect(adapter.interpret(stored(body), null, null, { hash, connectedUs: 0 })[0]).to.have.property(
        'unreadable',
      )
      keys.add(reading.dedupeKey)
    }
    expect(keys.size).to.equal(senseless.length)
  })

  it('reads a body that a template reduced, if it keeps the names', () => {
    expect(readingsOf(examples.template.body)[0]).to.include({
      dedupeKey: 'CREATED|bFJeNb2uX8ANpT3JL5EfXw',
      type: 'booking.created',
    })
    const flat =
      '{"triggerEvent":"BOOKING_CANCELLED","createdAt":"2026-01-15T09:00:00.000Z","uid":"u","seatsPerTimeSlot":"","attendees":""}'
    expect(factsIn(flat)[0]).to.deep.include({ kind: 'canceled', target: { kind: 'booking', id: 'u' } })
  })

  it('counts seats that a template wrote as text', () => {
    const targets = ['10', '0'].map(
      seatsPerTimeSlot => factsIn(withPayload(E8.body, { seatsPerTimeSlot }))[0].target,
    )
    expect(targets[0]).to.include({ kind: 'person', named: null })
    expect(targets[1]).to.include({ kind: 'booking' })
  })

  it('gives one reading for each attendee of a no-show', () => {
    const attendees = [
      { email: 'ann@example.com', noShow: true },
      { email: 'bo@example.com', noShow: false },
    ]
    const readings = readingsOf(withPayload(E9.body, { attendees }))
    expect(readings.map(({ type }) => type)).to.deep.equal(['booking.no_show', 'booking.updated'])
    expect(new Set(readings.map(({ dedupeKey }) => dedupeKey)).size).to.equal(2)
  })

  it('never throws, and always gives a reading and an event, whatever the bytes', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 500 }),
      fc.json().map(text => Buffer.from(text)),
      fc
        .record(
          {
            triggerEvent: fc.constantFrom(...triggersOfInterest, '', 7),
            createdAt: fc.oneof(fc.constant('2026-01-15T09:00:00Z'), fc.jsonValue()),
            payload: fc.oneof(hostilePayload, fc.jsonValue()),
          },
          { requiredKeys: [] },
        )
        .map(value => Buffer.from(JSON.stringify(value))),
    )
    fc.assert(
      fc.property(anything, body => {
        const readings = readingsOf(body)
        expect(readings.length).to.be.greaterThan(0)
        readings.forEach((reading, index) => {
          const [event] = adapter.interpret(stored(body, index, reading), null, null, {
            hash,
            connectedUs: 0,
          })
          expect(event.key).to.equal(reading.dedupeKey)
          expect('unreadable' in event).to.equal(reading.type === null)
          if (reading.unreadable !== null) expect(event).to.have.property('unreadable', reading.unreadable)
          for (const id of [reading.bookingId, reading.meetingId])
            if (id !== null) expect(Buffer.byteLength(id)).to.be.within(1, 255)
        })
        expect(new Set(readings.map(({ dedupeKey }) => dedupeKey)).size).to.equal(readings.length)
      }),
      { numRuns: 2_000 },
    )
  })

  it('gives no two things one key, whatever is in their names', () => {
    const [{ dedupeKey }] = readingsOf(E7.body)
    const uid = dedupeKey?.replace('CREATED|', '')
    expect(readingsOf(withPayload(E1.body, { uid }))[0].dedupeKey).to.not.equal(dedupeKey)
  })

  it('gives the same reading to the same bytes', () => {
    for (const { body } of Object.values<Example>(examples))
      expect(readingsOf(body)).to.deep.equal(readingsOf(body))
  })
})

const triggersOfInterest = [
  'BOOKING_CREATED',
  'BOOKING_REQUESTED',
  'BOOKING_RESCHEDULED',
  'BOOKING_CANCELLED',
  'BOOKING_REJECTED',
  'BOOKING_PAID',
  'BOOKING_NO_SHOW_UPDATED',
  'BOOKING_REASSIGNED',
  'MEETING_ENDED',
]

const text = fc.oneof(
  fc.constantFrom('', 'u', 'ann@example.com', 'x'.repeat(255), '\ud800', 'a|b%7C'),
  fc.string(),
)
const wild = fc.oneof(text, fc.jsonValue())
const hostilePayload = fc.record(
  {
    uid: fc.oneof(text, fc.jsonValue()),
    bookingUid: wild,
    rescheduleUid: wild,
    attendeeSeatId: wild,
    seatsPerTimeSlot: fc.oneof(fc.constantFrom(null, 0, 3, '', '4'), fc.jsonValue()),
    attendees: fc.oneof(
      fc.array(
        fc.record({ email: wild, name: wild, noShow: fc.oneof(fc.boolean(), wild) }, { requiredKeys: [] }),
        {
          maxLength: 3,
        },
      ),
      fc.jsonValue(),
    ),
    organizer: wild,
    team: wild,
    metadata: wild,
    responses: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
    startTime: wild,
    status: wild,
    price: wild,
    currency: wild,
    paymentId: wild,
    cancelledBy: wild,
    bookerUrl: wild,
  },
  { requiredKeys: [] },
)
