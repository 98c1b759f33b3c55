import { fold } from '@booking-webhooks/core'
import { expect } from 'chai'
import { api, eventOf, factOf, interpret, permutations, person, sentAt, stored, uri } from './bench.js'

const later = (minutes: number) => new Date(sentAt.getTime() + minutes * 60_000)
const micros = (text: string, fraction: number) => (Date.parse(text) / 1000) * 1e6 + fraction

/** A paid booking with everything that a payload may hold. */
const full = {
  invitee: { ...person(1), name: 'Ann Example', email: 'ann@example.com' },
  at: new Date('2026-10-12T15:04:05.186Z'),
  payload: {
    created_at: '2026-10-12T15:04:05.186688Z',
    text_reminder_number: '+1 202-555-0100',
    payment: {
      external_id: 'ch_1',
      provider: 'stripe',
      amount: 50.0,
      currency: 'USD',
      terms: null,
      successful: true,
    },
    questions_and_answers: [
      { question: 'Second?', answer: '', position: 1 },
      { question: 'Topic?', answer: 'Plan A\nPlan B', position: 0 },
    ],
    scheduled_event: {
      uri: `${api}/scheduled_events/EV1`,
      name: 'Intro call',
      status: 'active',
      start_time: '2026-10-14T21:00:00.000000Z',
      end_time: '2026-10-14T21:30:00.000000Z',
      location: {
        type: 'zoom',
        status: 'pushed',
        join_url: 'https://zoom.example.com/j/100',
        data: { id: 100 },
      },
      invitees_counter: { total: 3, active: 2, limit: 5 },
      event_memberships: [
        { user: `${api}/users/US2`, user_email: 'omar@example.com', user_name: 'Omar Host' },
        { user: `${api}/users/US1` },
        { user: `${api}/users/US2`, user_email: 'omar@example.com', user_name: 'Omar Host' },
      ],
      event_guests: [{ email: 'guest@example.com', created_at: '2026-10-12T15:04:05.180000Z' }],
    },
  },
}

describe('calendly: interpret', () => {
  it('tells everything that a booking has', () => {
    const { key, fact, raw } = eventOf(full)
    expect(key).to.equal(`invitee.created:${uri(1)}`)
    expect(raw).to.have.nested.property('payload.payment.amount', 50)
    expect(fact).to.deep.equal({
      kind: 'created',
      target: { kind: 'booking', id: uri(1) },
      occurredUs: micros('2026-10-12T15:04:05Z', 186_688),
      previous: null,
      meetingId: `${api}/scheduled_events/EV1`,
      startsUs: micros('2026-10-14T21:00:00Z', 0),
      endsUs: micros('2026-10-14T21:30:00Z', 0),
      resources: [`${api}/users/US1`, `${api}/users/US2`],
      alias: null,
      noShow: false,
      cancellation: null,
      details: {
        booking: {
          title: 'Intro call',
          timeZone: 'America/Chicago',
          hosts: [
            { id: `${api}/users/US1`, name: null, email: null },
            { id: `${api}/users/US2`, name: 'Omar Host', email: 'omar@example.com' },
          ],
          attendee: {
            name: 'Ann Example',
            email: 'ann@example.com',
            phone: '+1 202-555-0100',
            timeZone: 'America/Chicago',
          },
          guests: [{ name: null, email: 'guest@example.com' }],
          location: { kind: 'video', url: 'https://zoom.example.com/j/100', text: null },
          answers: [
            { question: 'Topic?', answer: 'Plan A\nPlan B', key: null },
            { question: 'Second?', answer: null, key: null },
          ],
          tracking: {
            utm_campaign: null,
            utm_source: 'newsletter',
            utm_medium: null,
            utm_content: null,
            utm_term: null,
            salesforce_uuid: null,
          },
          links: {
            cancel: 'https://calendly.com/cancellations/IN1',
            reschedule: 'https://calendly.com/reschedulings/IN1',
          },
          seats: { id: null, capacity: 5, taken: 2 },
        },
        payment: { amount: '50.00', currency: 'USD', paid: true, reference: 'ch_1' },
      },
    })
  })

  it('finds the same slots whichever host is named first, and never in who made the subscription', () => {
    const reversed = structuredClone(full)
    reversed.payload.scheduled_event.event_memberships.reverse()
    expect(factOf(reversed).resources).to.deep.equal(factOf(full).resources)
    expect(JSON.stringify(factOf(full))).to.not.contain('US9')
  })

  it('says nothing of what an old payload leaves out', () => {
    const old = {
      invitee: person(7),
      payload: {
        scheduled_event: undefined,
        name: null,
        first_name: undefined,
        no_show: undefined,
        payment: undefined,
      },
    }
    const fact = factOf(old)
    expect(fact).to.deep.include({ startsUs: null, endsUs: null, resources: null, noShow: null })
    expect(fact.meetingId).to.equal(`${api}/scheduled_events/EV7`)
    expect(fact.details!.booking).to.not.have.any.keys('title', 'hosts', 'guests', 'location', 'seats')
    expect(fact.details!.payment).to.equal(undefined)
    expect(fact.details!.booking!.attendee!.name).to.equal(null)
  })

  it('takes what was fetched for an old payload, and no fetched meeting over one that was sent', () => {
    const fetched = { scheduled_event: { ...full.payload.scheduled_event, name: 'Fetched' } }
    const old = { invitee: person(1), payload: { scheduled_event: undefined } }
    expect(factOf(old, 0, fetched)).to.deep.include({
      startsUs: micros('2026-10-14T21:00:00Z', 0),
      resources: [`${api}/users/US1`, `${api}/users/US2`],
    })
    expect(factOf(old, 0, fetched).details!.booking!.title).to.equal('Fetched')
    expect(factOf(full, 0, fetched).details!.booking!.title).to.equal('Intro call')
  })

  it('keeps names, however they are told', () => {
    const name = (payload: object) => factOf({ payload: { ...payload } }).details!.booking!.attendee!.name
    expect(name({ name: 'Ann Example', first_name: 'A', last_name: 'B' })).to.equal('Ann Example')
    expect(name({ name: '', first_name: 'Ann', last_name: 'Example' })).to.equal('Ann Example')
    expect(name({ name: null, first_name: null, last_name: 'Example' })).to.equal('Example')
    expect(name({ name: null, first_name: '', last_name: null })).to.equal(null)
    expect(name({ name: 'Zoë \u0000\ud83d😀' })).to.equal('Zoë \ufffd\ufffd😀')
  })

  it('tells no tracking as null, and tracking without values as an object of nulls', () => {
    const tracking = (value: unknown) => factOf({ payload: { tracking: value } }).details!.booking!.tracking
    expect(tracking(undefined)).to.equal(null)
    expect(tracking({ utm_source: '' })).to.deep.equal({
      utm_campaign: null,
      utm_source: null,
      utm_medium: null,
      utm_content: null,
      utm_term: null,
      salesforce_uuid: null,
    })
  })

  const locations: [from: unknown, to: unknown][] = [
    [null, null],
    [undefined, null],
    ['Room 1', null],
    [
      { type: 'physical', location: '1 Example Street', additional_info: '2nd floor' },
      { kind: 'in_person', url: null, text: '1 Example Street\n2nd floor' },
    ],
    [
      { type: 'physical', location: '1 Example Street' },
      { kind: 'in_person', url: null, text: '1 Example Street' },
    ],
    [
      { type: 'physical', location: null, additional_info: 'Ring twice' },
      { kind: 'in_person', url: null, text: 'Ring twice' },
    ],
    [
      { type: 'inbound_call', location: '+1 202-555-0100' },
      { kind: 'phone', url: null, text: '+1 202-555-0100' },
    ],
    [
      { type: 'outbound_call', location: null },
      { kind: 'phone', url: null, text: null },
    ],
    [
      { type: 'ask_invitee', location: 'At the station' },
      { kind: 'other', url: null, text: 'At the station' },
    ],
    [
      { type: 'custom', location: null, additional_info: 'x' },
      { kind: 'other', url: null, text: null },
    ],
    [
      { type: 'brand_new', location: 'x', join_url: 'https://example.com/' },
      { kind: 'other', url: null, text: 'x' },
    ],
    [{ type: 'constructor' }, { kind: 'other', url: null, text: null }],
    [{}, { kind: 'other', url: null, text: null }],
    ...[
      'zoom',
      'zoom_conference',
      'google_conference',
      'microsoft_teams_conference',
      'webex_conference',
      'gotomeeting',
      'gotomeeting_conference',
    ].flatMap((type): [unknown, unknown][] => [
      [
        { type, status: 'processing', join_url: null },
        { kind: 'video', url: null, text: null },
      ],
      [
        { type, status: 'pushed', join_url: 'https://example.com/j' },
        { kind: 'video', url: 'https://example.com/j', text: null },
      ],
    ]),
  ]
  for (const [from, to] of locations)
    it(`places ${JSON.stringify(from)}`, () => {
      const scheduled_event = { ...full.payload.scheduled_event, location: from }
      expect(factOf({ payload: { scheduled_event } }).details!.booking!.location).to.deep.equal(to)
    })

  const payments: [from: unknown, to: unknown][] = [
    [null, null],
    ['yes', null],
    [
      { amount: 12.5, currency: 'eur', successful: false, external_id: '' },
      { amount: '12.50', currency: 'EUR', paid: false, reference: null },
    ],
    [
      { amount: '12.5', successful: 'true' },
      { amount: null, currency: null, paid: null, reference: null },
    ],
  ]
  for (const [from, to] of payments)
    it(`counts the payment ${JSON.stringify(from)}`, () => {
      expect(factOf({ payload: { payment: from } }).details!.payment).to.deep.equal(to)
    })

  describe('cancels', () => {
    const cancel = { event: 'invitee.canceled', invitee: person(1) }
    const cancellationOf = (cancellation: unknown, more: object = {}) => {
      const { fact } = eventOf({ ...cancel, payload: { cancellation, ...more } })
      return { ...fact.cancellation, reason: fact.details?.cancellationReason }
    }

    it('tell who, why, and the booking as it was', () => {
      const { fact } = eventOf({ ...cancel, canceler: { type: 'invitee', reason: 'Conflict' } })
      expect(fact).to.deep.include({ kind: 'canceled', previous: null, noShow: false })
      expect(fact.startsUs).to.be.a('number')
      expect(fact.details!.booking!.title).to.equal('Intro call')
      expect(fact.cancellation).to.deep.equal({ by: 'attendee', rescheduleRequested: false })
      expect(fact.details!.cancellationReason).to.equal('Conflict')
    })

    it('are by host, attendee or unknown, with a reason or null', () => {
      const no = { rescheduleRequested: false }
      expect(cancellationOf({ canceler_type: 'host', reason: '' })).to.deep.equal({
        by: 'host',
        reason: null,
        ...no,
      })
      expect(cancellationOf({ canceler_type: 'invitee' })).to.deep.equal({
        by: 'attendee',
        reason: null,
        ...no,
      })
      for (const odd of [
        undefined,
        null,
        'x',
        {},
        { canceler_type: 'system' },
        { canceler_type: 'constructor' },
      ])
        expect(cancellationOf(odd)).to.deep.equal({ by: 'unknown', reason: null, ...no })
    })

    it('ask for another time only where Calendly says that it will come, and not which', () => {
      const requested = (more: object) => cancellationOf({}, more).rescheduleRequested
      expect(requested({ rescheduled: true, new_invitee: null })).to.equal(true)
      expect(requested({ rescheduled: false, new_invitee: null })).to.equal(false)
      expect(requested({ rescheduled: 'true' })).to.equal(false)
      expect(requested({ rescheduled: true, new_invitee: uri(2) })).to.equal(false)
    })

    it('happened when the cancellation says, else the invitee, else the envelope', () => {
      const occurred = (payload: object) => factOf({ ...cancel, payload: { ...payload } }).occurredUs
      const cancellation = { created_at: '2026-10-13T09:00:00.830001Z' }
      expect(occurred({ cancellation })).to.equal(micros('2026-10-13T09:00:00Z', 830_001))
      const updated_at = '2026-10-13T09:00:00.838980Z'
      expect(occurred({ cancellation: {}, updated_at })).to.equal(micros('2026-10-13T09:00:00Z', 838_980))
      expect(occurred({ cancellation: undefined, updated_at: 'soon' })).to.equal(
        micros('2026-10-12T15:04:05Z', 0),
      )
    })

    it('of one of several seats are of that one', () => {
      const invitee = { ...person(4, 9), seats: { limit: 10, active: 1 } }
      const { fact } = eventOf({ ...cancel, invitee })
      expect(fact.target).to.deep.equal({ kind: 'booking', id: uri(4, 9) })
      expect(fact.meetingId).to.equal(`${api}/scheduled_events/EV9`)
    })

    it('of a booking that had replaced another keep the link', () => {
      const { fact } = eventOf({ ...cancel, invitee: { ...person(2), oldInvitee: person(1) } })
      expect(fact).to.deep.include({ kind: 'canceled', previous: { kind: 'booking', id: uri(1) } })
    })
  })

  describe('reschedules', () => {
    const half = { event: 'invitee.canceled', invitee: { ...person(1), newInvitee: person(2) } }

    it('are told by the created half, which names what it replaces', () => {
      const { fact } = eventOf({ invitee: { ...person(2), oldInvitee: person(1) } })
      expect(fact).to.deep.include({
        kind: 'created',
        target: { kind: 'booking', id: uri(2) },
        previous: { kind: 'booking', id: uri(1) },
      })
    })

    it('have a canceled half that knows of the new booking nothing but its name', () => {
      const [{ fact, look }, ...more] = interpret(stored(half)) as [ReturnType<typeof eventOf>]
      expect(more).to.deep.equal([])
      expect(fact).to.deep.include({
        kind: 'half',
        target: { kind: 'booking', id: uri(2) },
        previous: { kind: 'booking', id: uri(1) },
        meetingId: `${api}/scheduled_events/EV2`,
        startsUs: null,
        endsUs: null,
        resources: null,
        cancellation: { by: 'attendee', rescheduleRequested: false },
      })
      expect(fact.previousTimes!.startsUs).to.be.a('number')
      expect(look).to.deep.equal({
        key: `look:${uri(2)}`,
        lane: `look:${uri(2)}`,
        afterMs: 600_000,
        subject: { invitee: uri(2) },
        unlessKnown: uri(2),
      })
    })

    it('in the middle of a chain carry the older link too, unless it is known', () => {
      const middle = stored({
        ...half,
        invitee: { ...person(2), oldInvitee: person(1), newInvitee: person(3) },
      })
      const events = interpret(middle) as ReturnType<typeof eventOf>[]
      expect(events.map(({ fact: { kind, target, previous } }) => [kind, target, previous])).to.deep.equal([
        ['half', { kind: 'booking', id: uri(3) }, { kind: 'booking', id: uri(2) }],
        ['canceled', { kind: 'booking', id: uri(2) }, { kind: 'booking', id: uri(1) }],
      ])
      expect(events[0]!.key).to.equal(`invitee.canceled:${uri(2)}`)
      expect(new Set(events.map(event => event.key)).size).to.equal(2)
      expect(interpret(middle, null, { previousId: uri(1) } as never)).to.have.length(1)
    })

    it('end in the same bookings whichever of their facts are known first', () => {
      const halves = [
        { invitee: person(1) },
        { ...half, at: later(10) },
        { invitee: { ...person(2), oldInvitee: person(1) }, at: later(10) },
        { ...half, invitee: { ...person(2), oldInvitee: person(1), newInvitee: person(3) }, at: later(20) },
        { invitee: { ...person(3), oldInvitee: person(2) }, at: later(20) },
      ]
      const facts = halves.flatMap(one =>
        (interpret(stored(one)) as ReturnType<typeof eventOf>[]).map(({ key, fact }) => ({
          ...fact,
          key,
          occurredUs: fact.occurredUs!,
        })),
      )
      expect(facts).to.have.length(6)
      for (const order of permutations(facts)) {
        const bookings = [...fold(order).values()].sort((a, b) => (a.id < b.id ? -1 : 1))
        expect(bookings.map(({ status, threadId, nextId }) => [status, threadId, nextId])).to.deep.equal([
          ['rescheduled', uri(1), uri(2)],
          ['rescheduled', uri(1), uri(3)],
          ['confirmed', uri(1), null],
        ])
      }
    })

    it('are none where an invitee would replace itself, however it is spelled', () => {
      const spelled = uri(1).replace('api.', '')
      expect(factOf({ invitee: person(1), payload: { old_invitee: spelled } }).previous).to.equal(null)
      const canceled = { ...half, invitee: person(1), payload: { new_invitee: spelled } }
      expect(factOf(canceled).kind).to.equal('canceled')
    })
  })

  describe('no-shows', () => {
    const mark = { event: 'invitee_no_show.created', invitee: person(1) }
    const undone = { ...mark, event: 'invitee_no_show.deleted' }

    it('are marks and the taking back of marks', () => {
      expect(factOf(mark)).to.deep.include({ kind: 'no_show', noShow: true })
      expect(factOf(undone)).to.deep.include({ kind: 'no_show', noShow: false })
    })

    it('do not lose their mark to the fields of the payload', () => {
      expect(factOf({ ...mark, payload: { no_show: null } }).noShow).to.equal(true)
      expect(factOf({ ...undone, payload: { no_show: { uri: 'NS1' } } }).noShow).to.equal(false)
    })

    it('happened when the mark says, never when the invitee was changed last', () => {
      const updated_at = '2020-01-01T00:00:00.000000Z'
      const no_show = { uri: 'NS1', created_at: '2026-10-22T09:00:08.683444Z' }
      const at = new Date('2026-10-22T09:00:09.500Z')
      expect(factOf({ ...mark, at, payload: { updated_at, no_show } }).occurredUs).to.equal(
        micros('2026-10-22T09:00:08Z', 683_444),
      )
      expect(factOf({ ...mark, at, payload: { updated_at, no_show: {} } }).occurredUs).to.equal(
        micros('2026-10-22T09:00:09Z', 0),
      )
    })

    it('taken back in the second of the mark come after it', () => {
      const at = new Date('2026-10-22T09:00:08.900Z')
      expect(factOf({ ...undone, at }).occurredUs).to.equal(micros('2026-10-22T09:00:08Z', 999_999))
      const fine = {
        event: 'invitee_no_show.deleted',
        created_at: '2026-10-22T09:00:08.900001Z',
        payload: { uri: uri(1) },
      }
      expect(factOf(JSON.stringify(fine)).occurredUs).to.equal(micros('2026-10-22T09:00:08Z', 900_001))
    })

    it('are seen on a booking that is told anew', () => {
      expect(factOf({ payload: { no_show: { uri: 'NS1' } } }).noShow).to.equal(true)
      expect(factOf({ payload: { no_show: null } }).noShow).to.equal(false)
    })
  })

  it('tells a create that was canceled by then as two events', () => {
    const both = { invitee: person(1), payload: { status: 'canceled' } }
    expect([0, 1].map(index => factOf(both, index).kind)).to.deep.equal(['created', 'canceled'])
    const moved = { invitee: { ...person(1), newInvitee: person(2) }, payload: { status: 'canceled' } }
    expect([0, 1].map(index => factOf(moved, index).kind)).to.deep.equal(['created', 'half'])
  })

  it('reads times to the microsecond, in any of the spellings, and none that is not', () => {
    const occurred = (created_at: unknown) => factOf({ payload: { created_at } }).occurredUs
    expect(occurred('2026-10-12T15:04:05.186688Z')).to.equal(micros('2026-10-12T15:04:05Z', 186_688))
    expect(occurred('2026-10-12T15:04:05.186687Z')).to.equal(micros('2026-10-12T15:04:05Z', 186_687))
    expect(occurred('2026-10-12T15:04:05Z')).to.equal(micros('2026-10-12T15:04:05Z', 0))
    for (const bad of [null, 17, 'soon', '2026-02-30T00:00:00Z'])
      expect(occurred(bad)).to.equal(Math.floor(sentAt.getTime() / 1000) * 1e6)
    const nowhere = { event: 'invitee.created', payload: { uri: uri(1) } }
    expect(factOf(JSON.stringify(nowhere)).occurredUs).to.equal(null)
  })

  it('hands on what is about no booking', () => {
    const event = 'routing_form_submission.created'
    const body = { event, payload: { uri: 'RS1', submitter: uri(1), created_at: '2026-10-12T14:59:58.678Z' } }
    const [told, ...more] = interpret(stored(body))
    expect(more).to.deep.equal([])
    expect(told).to.deep.include({
      key: `${event}:RS1`,
      type: `provider.${event}`,
      occurredUs: micros('2026-10-12T14:59:58Z', 678_000),
    })
    expect(told).to.have.nested.property('raw.payload.submitter', uri(1))
  })

  it('keeps the key that the event was stored under', () => {
    expect(interpret(stored({}, 0, { dedupeKey: 'older' }))[0]).to.have.property('key', 'older')
  })

  it('says so where a body tells fewer events than it did', () => {
    expect(interpret(stored({}, 0, { index: 1 }))[0]).to.have.property('unreadable')
  })
})
