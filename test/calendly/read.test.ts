import { samplePayload } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import fc from 'fast-check'
import { adapter, api, bodyOf, interpret, key, person, readingsOf, sentAt, stored, uri } from './bench.js'

const keysOf = (...all: Parameters<typeof readingsOf>) => readingsOf(...all).map(reading => reading.dedupeKey)

describe('calendly: read', () => {
  const invitee = person(1)
  const types: [event: string, more: object, type: string][] = [
    ['invitee.created', { invitee }, 'booking.created'],
    ['invitee.created', { invitee: { ...invitee, oldInvitee: person(2) } }, 'booking.rescheduled'],
    ['invitee.canceled', { invitee }, 'booking.canceled'],
    ['invitee.canceled', { invitee: { ...invitee, newInvitee: person(2) } }, 'booking.rescheduled'],
    ['invitee_no_show.created', { invitee }, 'booking.no_show'],
    ['invitee_no_show.deleted', { invitee }, 'booking.updated'],
  ]
  for (const [event, more, type] of types)
    it(`reads ${event} as ${type}, in the lane of the invitee`, () => {
      const [reading, ...others] = readingsOf({ event, ...more })
      expect(others).to.deep.equal([])
      expect(reading).to.deep.include({
        type,
        providerType: event,
        lane: uri(1),
        bookingId: uri(1),
        meetingId: `${api}/scheduled_events/EV1`,
        unreadable: null,
      })
    })

  it('builds keys from the event and the invitee', () => {
    expect(keysOf({ event: 'invitee.created', invitee })).to.deep.equal([`invitee.created:${uri(1)}`])
    expect(keysOf({ event: 'invitee.canceled', invitee })).to.deep.equal([`invitee.canceled:${uri(1)}`])
    const half = { event: 'invitee.canceled', invitee: { ...invitee, newInvitee: person(2) } }
    expect(keysOf(half)).to.deep.equal([`invitee.canceled:${uri(1)}`])
  })

  it('tells each no-show and its undoing from the next', () => {
    const keys = ['NS1', 'NS2'].flatMap(noShow =>
      keysOf({ event: 'invitee_no_show.created', invitee, noShow }),
    )
    expect(keys).to.deep.equal([
      `invitee_no_show.created:${uri(1)}:${api}/invitee_no_shows/NS1`,
      `invitee_no_show.created:${uri(1)}:${api}/invitee_no_shows/NS2`,
    ])
    const undone = { event: 'invitee_no_show.deleted', invitee }
    expect(keysOf(undone)).to.deep.equal([`invitee_no_show.deleted:${uri(1)}:2026-10-12T15:04:05.000000Z`])
    const named = { ...undone, payload: { no_show: { uri: `${api}/invitee_no_shows/NS1` } } }
    expect(keysOf(named)).to.deep.equal([`invitee_no_show.deleted:${uri(1)}:${api}/invitee_no_shows/NS1`])
  })

  it('takes one booking told by two subscriptions for one', () => {
    const one = JSON.parse(Buffer.from(bodyOf({ invitee })).toString())
    const two = { ...one, created_by: `${api}/users/US8`, created_at: '2026-10-12T15:04:09.123456Z' }
    expect(keysOf(JSON.stringify(two))).to.deep.equal(keysOf({ invitee }))
  })

  it('knows an invitee under all the hosts that Calendly writes', () => {
    for (const host of ['https://calendly.com', 'https://api.calendly.com', 'https://calendly.com/api/v2'])
      for (const name of ['uri', 'old_invitee', 'new_invitee']) {
        const spelled = `${host}/scheduled_events/EV1/invitees/IN1`
        const [reading] = readingsOf({ invitee: person(2), payload: { [name]: spelled, event: undefined } })
        expect(reading!.bookingId).to.equal(name === 'uri' ? uri(1) : uri(2))
      }
    expect(
      readingsOf({ payload: { event: 'https://calendly.com/api/v2/scheduled_events/EV1' } })[0],
    ).to.have.property('meetingId', `${api}/scheduled_events/EV1`)
  })

  it('compares every other spelling exactly', () => {
    for (const other of [
      `${uri(1)}/`,
      `${uri(1)}?a=1`,
      uri(1).replace('https', 'http'),
      uri(1).toLowerCase(),
      'IN1',
    ])
      expect(readingsOf({ payload: { uri: other } })[0]!.bookingId).to.equal(other)
  })

  it('takes the meeting from the payload, else from the meeting itself, else from the invitee', () => {
    const meetingOf = (payload: object) => readingsOf({ invitee, payload: { ...payload } })[0]!.meetingId
    const scheduled_event = { uri: `${api}/scheduled_events/EV7` }
    expect(meetingOf({ event: `${api}/scheduled_events/EV9`, scheduled_event })).to.match(/EV9$/)
    expect(meetingOf({ event: undefined, scheduled_event })).to.match(/EV7$/)
    expect(meetingOf({ event: undefined, scheduled_event: undefined })).to.match(/EV1$/)
    expect(meetingOf({ event: undefined, scheduled_event: undefined, uri: 'IN1' })).to.equal('IN1')
  })

  it('tells a create that was canceled by then as both, the cancel under the key of its own delivery', () => {
    const both = readingsOf({ invitee, payload: { status: 'canceled' } })
    expect(both.map(reading => reading.dedupeKey)).to.deep.equal([
      `invitee.created:${uri(1)}`,
      ...keysOf({ event: 'invitee.canceled', invitee }),
    ])
    expect(both.map(reading => reading.type)).to.deep.equal(['booking.created', 'booking.canceled'])
    const moved = readingsOf({
      invitee: { ...invitee, newInvitee: person(2) },
      payload: { status: 'canceled' },
    })
    expect(moved.map(reading => reading.type)).to.deep.equal(['booking.created', 'booking.rescheduled'])
  })

  describe('events about no booking', () => {
    const payload = { uri: `${api}/things/TH1`, created_at: '2026-10-12T15:00:00.678Z' }
    const updated_at = '2026-10-12T15:01:00.000001Z'
    const deleted_at = '2026-10-12T15:02:00Z'
    const events: [event: string, payload: object, key: string, occurredUs: number][] = [
      ['routing_form_submission.created', payload, '', Date.UTC(2026, 9, 12, 15, 0, 0, 678) * 1000],
      [
        'contact.created',
        { ...payload, updated_at },
        ':2026-10-12T15:00:00.678000Z',
        Date.UTC(2026, 9, 12, 15, 0, 0, 678) * 1000,
      ],
      [
        'contact.updated',
        { ...payload, updated_at },
        ':2026-10-12T15:01:00.000001Z',
        Date.UTC(2026, 9, 12, 15, 1) * 1000 + 1,
      ],
      [
        'contact.deleted',
        { uri: payload.uri, deleted_at },
        ':2026-10-12T15:02:00.000000Z',
        Date.UTC(2026, 9, 12, 15, 2) * 1000,
      ],
      [
        'thing.renamed',
        { ...payload, updated_at },
        ':2026-10-12T15:01:00.000001Z',
        Date.UTC(2026, 9, 12, 15, 1) * 1000 + 1,
      ],
      [
        'thing.deleted',
        { uri: payload.uri },
        ':2026-10-12T15:04:05.000000Z',
        Date.UTC(2026, 9, 12, 15, 4, 5) * 1000,
      ],
    ]
    for (const [event, body, keyEnd, occurredUs] of events)
      it(`keep their name: ${event}`, () => {
        expect(readingsOf({ event, payload: { ...body } })).to.deep.equal([
          {
            dedupeKey: `${event}:${payload.uri}${keyEnd}`,
            lane: `${event}:${payload.uri}${keyEnd}`,
            providerType: event,
            type: `provider.${event}`,
            bookingId: null,
            meetingId: null,
            occurredUs,
            unreadable: null,
          },
        ])
      })

    it('that name nothing are told apart by their bytes', () => {
      const [one, two] = ['1', '2'].map(n => `{"event":"meeting_poll.created","payload":{"n":${n}}}`)
      expect(keysOf(one!)[0]).to.match(/^meeting_poll\.created:sha256:[0-9a-f]{64}$/)
      expect(keysOf(one!)).to.deep.equal(keysOf(one!)).and.not.deep.equal(keysOf(two!))
      expect(keysOf('{"event":"x.y"}')[0]).to.match(/^x\.y:sha256:/)
    })

    it('that only look like bookings change none', () => {
      const [reading] = readingsOf({
        event: 'routing_form_submission.created',
        payload: { submitter: uri(1), uri: 'x' },
      })
      expect(reading).to.deep.include({ bookingId: null, type: 'provider.routing_form_submission.created' })
      for (const event of [
        'invitee.updated',
        'invitee_no_show.updated',
        'invitee.no_show.created',
        'constructor',
      ])
        expect(readingsOf({ event })[0]).to.deep.include({ bookingId: null, type: `provider.${event}` })
    })
  })

  describe('what makes no sense', () => {
    const valid = samplePayload(person(1), sentAt)
    const bodies: [why: string, body: Parameters<typeof readingsOf>[0], reason: RegExp][] = [
      ['no JSON', 'not json', /not JSON/],
      ['nothing', '', /not JSON/],
      ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /not UTF-8/],
      ['an empty object', '{}', /no event name/],
      ['an array', '[]', /no JSON object/],
      ['null', 'null', /no JSON object/],
      ['an event that is no text', '{"event":{"a":1}}', /no event name/],
      ['an event with a line break', '{"event":"a\\nb"}', /no event name/],
      ['an event too long to be kept', JSON.stringify({ event: 'e'.repeat(250) }), /no event name/],
      ['no payload', '{"event":"invitee.created"}', /payload\.uri/],
      ['a payload that is text', '{"event":"invitee.created","payload":"x"}', /payload\.uri/],
      ['no invitee', { payload: { uri: undefined } }, /payload\.uri/],
      ['an empty invitee', { payload: { uri: '' } }, /payload\.uri/],
      ['an invitee that is a number', { payload: { uri: 17 } }, /payload\.uri/],
      ['an invitee of 256 bytes', { payload: { uri: 'é'.repeat(128) } }, /payload\.uri/],
      ['an invitee with a control character', { payload: { uri: `${uri(1)}\u0007` } }, /payload\.uri/],
      ['an invitee with a NUL', { payload: { uri: `${uri(1)}\u0000` } }, /payload\.uri/],
      ['an invitee with half a character', { payload: { uri: `${uri(1)}\ud83d` } }, /payload\.uri/],
      ['a link that is an object', { payload: { old_invitee: {} } }, /payload\.old_invitee/],
      ['a link that cannot be kept', { payload: { new_invitee: 'x'.repeat(256) } }, /payload\.new_invitee/],
      [
        'the shape of API v1',
        JSON.stringify({
          event: 'invitee.created',
          payload: { event: { uuid: 'EV1' }, invitee: { uuid: 'IN1' } },
        }),
        /payload\.uri/,
      ],
    ]
    for (const [why, body, reason] of bodies)
      it(`is kept with its reason: ${why}`, () => {
        const [reading, ...others] = readingsOf(body)
        expect(others).to.deep.equal([])
        expect(reading!.unreadable).to.match(reason)
        expect(reading).to.deep.include({ type: null, bookingId: null, meetingId: null })
        expect(reading!.dedupeKey).to.match(/^unreadable:sha256:[0-9a-f]{64}$/)
        expect(interpret(stored(body))).to.deep.equal([
          { key: reading!.dedupeKey, unreadable: reading!.unreadable },
        ])
      })

    it('is not what is merely unusual', () => {
      for (const payload of [
        { old_invitee: '', new_invitee: '' },
        { uri: 'x'.repeat(255) },
        { brand_new: { field: [1] } },
        Object.fromEntries(Object.keys(valid).map(name => [name, name === 'uri' ? uri(1) : undefined])),
      ])
        expect(readingsOf({ payload })[0]!.unreadable).to.equal(null)
      expect(readingsOf(`\ufeff${Buffer.from(bodyOf({})).toString()}`)[0]!.bookingId).to.equal(uri(1))
    })
  })

  it('never throws, and names nothing that cannot be kept, whatever was signed', () => {
    const names = fc.constantFrom(
      'invitee.created',
      'invitee.canceled',
      'invitee_no_show.created',
      'contact.deleted',
    )
    const fields = fc.constantFrom(...Object.keys(samplePayload({}, sentAt)), 'cancellation', '__proto__')
    const payload = fc.dictionary(fields, fc.oneof(fc.jsonValue(), fc.constantFrom(uri(1), uri(2))))
    const body = fc.oneof(
      fc.uint8Array(),
      fc.jsonValue().map(value => JSON.stringify(value)),
      fc.record({ event: fc.oneof(names, fc.string()), payload }).map(value => JSON.stringify(value)),
    )
    fc.assert(
      fc.property(body, bytes => {
        const found = readingsOf(bytes)
        expect(found.length).to.be.within(1, 2)
        for (const [index, reading] of found.entries()) {
          for (const id of [reading.bookingId, reading.meetingId])
            if (id !== null) expect(Buffer.byteLength(id)).to.be.within(1, 255)
          const events = interpret(stored(bytes, index))
          expect(events.length).to.be.within(1, 2)
          expect(JSON.stringify(events)).to.not.match(/\\u0000|\\ud[89a-f]/)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('keeps no header', () => {
    expect(adapter.headers ?? []).to.deep.equal([])
    expect(adapter.keys('default')).to.deep.equal([key])
  })
})
