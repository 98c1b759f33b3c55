import { type CalendlyOptions, calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery, type SampleInvitee, samplePayload } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import nock from 'nock'
import {
  shortId,
  signingKey,
  type Workbench,
  type WorkbenchOptions,
  workbench,
} from '../support/workbench.js'
import { api, permutations, person, uri } from './bench.js'

const startsAt = new Date('2099-10-14T21:00:00Z')
const otherTime = new Date('2099-10-16T21:30:00Z')
const bookedAt = new Date(Date.now() - 3_600_000)
const later = (minutes: number) => new Date(bookedAt.getTime() + minutes * 60_000)
const at = (invitee: number, meeting = invitee, more: SampleInvitee = {}): SampleInvitee => ({
  ...person(invitee, meeting),
  startsAt,
  bookedAt,
  ...more,
})

describe('calendly: through an inbox', () => {
  let bench: Workbench
  let clockUs: number
  const open = (options: Partial<CalendlyOptions> = {}, more: WorkbenchOptions = {}) => {
    clockUs = Date.now() * 1000
    bench = workbench({
      providers: [calendly({ signingKey, ...options })],
      store: { now: () => clockUs },
      now: () => new Date(clockUs / 1000),
      ...more,
    })
  }
  const pass = async (minutes: number) => {
    clockUs += minutes * 60_000_000
    await bench.inbox.drain()
  }
  afterEach(async () => {
    nock.cleanAll()
    await bench.close()
  })

  const created = (invitee: SampleInvitee, more: object = {}) =>
    bench.calendly({ event: 'invitee.created', invitee, at: invitee.bookedAt, ...more })
  const canceled = (invitee: SampleInvitee, more: object = {}) =>
    bench.calendly({ event: 'invitee.canceled', invitee, at: later(10), ...more })
  const outcomes = async () =>
    (await bench.inbox.events()).rows.reverse().map(row => `${row.outcome} x${row.deliveries}`)
  const bookings = async () =>
    (await bench.inbox.bookings()).rows.map(row => `${shortId(row.id)} ${row.status}`).sort()

  it('takes two invitees of one meeting for two bookings in one slot, which is free when both have gone', async () => {
    open()
    const seats = { limit: 10, active: 2 }
    await created(at(4, 9, { seats }))
    await created(at(5, 9, { seats }))
    await created(at(6, 6))
    expect(bench.toldInShort()).to.deep.equal([
      'booking.created IN4',
      'booking.created IN5',
      'booking.conflict IN6',
    ])
    await canceled(at(4, 9, { seats: { limit: 10, active: 1 } }))
    expect(await bookings()).to.deep.equal(['IN4 canceled', 'IN5 confirmed', 'IN6 conflict'])
    await canceled(at(5, 9, { seats: { limit: 10, active: 0 } }))
    expect(bench.toldInShort().slice(-2)).to.deep.equal(['booking.canceled IN5', 'booking.created IN6'])
  })

  it('finds the cancel that was lost where a host canceled a whole meeting, and leaves alone who is still in it', async () => {
    open({ token: 'token-1' })
    const seats = { limit: 10, active: 3 }
    const group = [4, 5, 6].map(number => at(number, 9, { seats }))
    for (const invitee of group) await created(invitee)
    const cancellation = { canceler_type: 'host', created_at: new Date(clockUs / 1000).toISOString() }
    const over = samplePayload(group[0]!, bookedAt).scheduled_event as object
    const meeting = { ...over, status: 'canceled' }
    await canceled(group[0]!, { payload: { cancellation, scheduled_event: meeting } })
    expect(await bookings()).to.deep.equal(['IN4 canceled', 'IN5 confirmed', 'IN6 confirmed'])
    nock(api)
      .get('/scheduled_events/EV9')
      .reply(200, { resource: meeting })
      .get('/scheduled_events/EV9/invitees?count=100&status=canceled')
      .reply(200, {
        collection: group.slice(0, 2).map(invitee => {
          const { scheduled_event: _, ...payload } = samplePayload(invitee, bookedAt)
          return { ...payload, status: 'canceled', cancellation }
        }),
        pagination: { next_page_token: null },
      })
    await pass(11)
    expect(bench.toldInShort().slice(3)).to.deep.equal(['booking.canceled IN4', 'booking.canceled IN5'])
    expect(bench.told.at(-1)!.event).to.deep.include({ providerType: 'invitee.canceled' })
    expect(await bookings()).to.deep.equal(['IN4 canceled', 'IN5 canceled', 'IN6 confirmed'])
    await canceled(group[1]!, { payload: { cancellation, scheduled_event: meeting } })
    await pass(60)
    expect(bench.told).to.have.length(5)
  })

  it('keeps marks apart: marked, taken back, marked again, each repeat a duplicate', async () => {
    open()
    await created(at(1))
    const payload = { updated_at: '2020-01-01T00:00:00.000000Z' }
    const marks: [event: string, noShow: string][] = [
      ['invitee_no_show.created', 'NS1'],
      ['invitee_no_show.deleted', 'NS1'],
      ['invitee_no_show.created', 'NS2'],
    ]
    for (const [minute, [event, noShow]] of marks.entries())
      for (let time = 0; time < 2; time += 1)
        await bench.calendly({ event, noShow, invitee: at(1), at: later(20 + minute), payload })
    expect(bench.told.map(({ event }) => [event.type, event.booking!.noShow])).to.deep.equal([
      ['booking.created', false],
      ['booking.no_show', true],
      ['booking.updated', false],
      ['booking.no_show', true],
    ])
    expect(await outcomes()).to.deep.equal(['accepted x1', 'accepted x2', 'accepted x2', 'accepted x2'])
  })

  it('ends unmarked where a mark and its taking back share a second, whichever comes first', async () => {
    open()
    const mark = { event: 'invitee_no_show.created', at: new Date('2026-10-22T09:00:08.683Z') }
    const undone = { event: 'invitee_no_show.deleted', at: new Date('2026-10-22T09:00:08.900Z') }
    for (const [index, order] of [
      [mark, undone],
      [undone, mark],
    ].entries()) {
      await created(at(index + 1, index + 1, { hosts: [`US${index}`] }))
      for (const one of order) await bench.calendly({ ...one, invitee: at(index + 1) })
    }
    const { rows } = await bench.inbox.bookings()
    expect(rows.map(row => row.noShow)).to.deep.equal([false, false])
  })

  describe('whose happenings share a time', () => {
    const second = new Date('2026-10-22T09:00:08.000Z')
    const created = (more: object = {}) => ({ event: 'invitee.created', at: second, ...more })
    const canceled = (more: object = {}) => ({ event: 'invitee.canceled', at: second, ...more })
    const marked = (more: object = {}) => ({ event: 'invitee_no_show.created', at: second, ...more })
    const unmarked = (more: object = {}) => ({ event: 'invitee_no_show.deleted', at: second, ...more })
    const table: [what: string, events: { event: string }[], end: string][] = [
      ['create and cancel', [created(), canceled()], 'canceled false'],
      ['create and mark', [created(), marked()], 'confirmed true'],
      ['create, mark and unmark', [created(), marked(), unmarked()], 'confirmed false'],
      ['create, cancel and mark', [created(), canceled(), marked()], 'canceled true'],
      ['all four', [created(), canceled(), marked(), unmarked()], 'canceled false'],
      [
        'all four, and a mark of the second after',
        [
          created(),
          canceled(),
          marked(),
          unmarked(),
          marked({ at: new Date('2026-10-22T09:00:09Z'), noShow: 'NS2' }),
        ],
        'canceled true',
      ],
    ]
    for (const [what, events, end] of table)
      it(`ends alike whatever comes first: ${what}`, async function () {
        this.timeout(60_000)
        open()
        const orders = permutations(events)
        const invitee = (index: number) => at(index, index, { hosts: [`US${index}`], bookedAt: second })
        for (let step = 0; step < events.length; step += 1) {
          for (const [index, order] of orders.entries())
            await bench.deliver(
              calendlyDelivery({ key: signingKey, ...order[step]!, invitee: invitee(index) }),
            )
          await bench.inbox.drain()
        }
        const { rows } = await bench.inbox.bookings({}, { limit: 1_000 })
        expect(rows.map(row => `${row.status} ${row.noShow}`)).to.deep.equal(orders.map(() => end))
        for (const { id } of rows) {
          const told = bench.told.filter(({ event }) => event.booking?.id === id).map(({ event }) => event)
          expect(`${told.at(-1)!.booking!.status} ${told.at(-1)!.booking!.noShow}`, 'last told').to.equal(end)
          const types = told.map(({ type }) => type)
          const over = types.indexOf('booking.canceled')
          if (over >= 0) expect(types.slice(over + 1), 'told after its end').to.not.include('booking.created')
        }
      })
  })

  it('takes no cancel for a reschedule because another booking came just before', async () => {
    open()
    await created(at(1))
    await created(at(2, 2, { startsAt: otherTime }))
    await canceled(at(1))
    expect(bench.toldInShort()).to.deep.equal([
      'booking.created IN1',
      'booking.created IN2',
      'booking.canceled IN1',
    ])
  })

  describe('a reschedule', () => {
    const first = at(1)
    const second = at(2, 2, { startsAt: otherTime, bookedAt: later(10), oldInvitee: first })
    const half = { ...first, newInvitee: second }

    it('of a booking from before the installation tells what the canceled half knew of it', async () => {
      open()
      await canceled(half)
      await created(second)
      expect(bench.toldInShort()).to.deep.equal(['booking.rescheduled IN2'])
      const { previous, cancellation } = bench.told[0]!.event
      expect(previous).to.deep.include({ bookingId: uri(1), startsAt: '2099-10-14T21:00:00.000000Z' })
      expect(previous!.hosts.map(host => shortId(host.id!))).to.deep.equal(['US1'])
      expect(cancellation).to.deep.include({ by: 'attendee' })
    })

    it('to the same time with the same host is no conflict with itself', async () => {
      for (const order of ['half first', 'half last']) {
        open()
        const moved = { ...second, startsAt }
        await created(first)
        const halves = [() => canceled({ ...first, newInvitee: moved }), () => created(moved)]
        for (const tell of order === 'half first' ? halves : halves.reverse()) await tell()
        expect(bench.toldInShort()).to.deep.equal(['booking.created IN1', 'booking.rescheduled IN2'])
        await bench.close()
      }
    })

    it('frees its slot for whoever waits for it', async () => {
      open()
      await created(first)
      await created(at(3, 3, { bookedAt: later(11) }))
      expect(bench.toldInShort().at(-1)).to.equal('booking.conflict IN3')
      await canceled(half)
      await created(second)
      expect(bench.toldInShort().slice(2).sort()).to.deep.equal([
        'booking.created IN3',
        'booking.rescheduled IN2',
      ])
      expect(await bookings()).to.deep.equal(['IN1 rescheduled', 'IN2 confirmed', 'IN3 confirmed'])
    })

    it('whose host asked for it is a cancel first, out of which the booking may still move', async () => {
      open()
      await created(first)
      await canceled(first, { payload: { rescheduled: true, new_invitee: null } })
      expect(bench.told[1]!.event.cancellation).to.deep.include({ rescheduleRequested: true })
      await created(second)
      expect(bench.toldInShort()).to.deep.equal([
        'booking.created IN1',
        'booking.canceled IN1',
        'booking.rescheduled IN2',
      ])
      expect(await bookings()).to.deep.equal(['IN1 rescheduled', 'IN2 confirmed'])
    })

    it('in a circle ends', async () => {
      open()
      await created(first)
      await created(second)
      await canceled({ ...second, newInvitee: first })
      await created({ ...first, oldInvitee: second }, { payload: { old_invitee: uri(1) } })
      expect((await bookings()).map(booking => booking.split(' ')[0])).to.deep.equal(['IN1', 'IN2'])
    })

    describe('whose created half does not come', () => {
      const payload = samplePayload(second, second.bookedAt!)
      const { scheduled_event, ...invitee } = payload
      const tenMinutes = () => pass(10)

      it('is asked for after ten minutes, and is a repeat when it comes after all', async () => {
        open({ token: 'token-1' })
        const calls = nock(api)
          .get('/scheduled_events/EV2/invitees/IN2')
          .reply(200, { resource: invitee })
          .get('/scheduled_events/EV2')
          .reply(200, { resource: scheduled_event })
        await created(first)
        await canceled(half)
        expect(bench.toldInShort()).to.deep.equal(['booking.created IN1'])
        await tenMinutes()
        expect(calls.isDone()).to.equal(true)
        expect(bench.toldInShort().slice(1)).to.deep.equal(['booking.rescheduled IN2'])
        await created(second)
        await tenMinutes()
        expect(bench.toldInShort()).to.have.length(2)
        const { rows } = await bench.inbox.events({ booking: uri(2), type: 'booking.rescheduled' })
        expect(rows.map(row => [row.outcome, row.deliveries])).to.deep.include(['accepted', 2])
      })

      it('is not asked for where it came in time', async () => {
        open({ token: 'token-1' })
        await created(first)
        await canceled(half)
        await created(second)
        await tenMinutes()
        expect(bench.lines.filter(line => line.message === 'alert' || line.message === 'fetch failed')).to.be
          .empty
      })

      it('is told at once when it comes, while Calendly asks to wait with the question for it', async () => {
        const waits: Record<string, string>[] = [{ 'retry-after': '3600' }, { 'x-ratelimit-reset': '60' }]
        for (const headers of waits) {
          open({ token: 'token-1' })
          const calls = nock(api).get('/scheduled_events/EV2/invitees/IN2').reply(429, {}, headers)
          await created(first)
          await canceled(half)
          await tenMinutes()
          expect(calls.isDone()).to.equal(true)
          await created(second)
          expect(bench.toldInShort()).to.deep.equal(['booking.created IN1', 'booking.rescheduled IN2'])
          await pass(120)
          expect(bench.toldInShort()).to.have.length(2)
          await bench.close()
        }
      })

      it('is left to its own lane where it has come, and waits there for its meeting', async () => {
        open({ token: 'token-1' }, { fetchBackoff: { baseMs: 3_600_000, capMs: 3_600_000 }, random: () => 1 })
        await created(first)
        await canceled(half)
        nock(api).get('/scheduled_events/EV2').reply(503)
        await created(second, { payload: { scheduled_event: undefined } })
        nock(api)
          .get('/scheduled_events/EV2/invitees/IN2')
          .reply(200, { resource: invitee })
          .get('/scheduled_events/EV2')
          .times(2)
          .reply(200, { resource: scheduled_event })
        await tenMinutes()
        expect(bench.toldInShort()).to.deep.equal(['booking.created IN1'])
        await pass(60)
        expect(bench.toldInShort().slice(1)).to.deep.equal(['booking.rescheduled IN2'])
        expect(nock.isDone()).to.equal(true)
        expect(bench.lines.filter(line => line.message === 'alert')).to.deep.equal([])
      })

      it('is found once the token is right again, hours later, and alerted meanwhile', async () => {
        open({ token: 'token-1' })
        await created(first)
        await canceled(half)
        nock(api).get('/scheduled_events/EV2/invitees/IN2').times(6).reply(401)
        await tenMinutes()
        for (let hours = 0; hours < 2.5; hours += 0.5) await pass(30)
        expect(bench.lines.find(line => line.message === 'alert')).to.deep.include({ about: 'credentials' })
        expect(bench.toldInShort()).to.deep.equal(['booking.created IN1'])
        nock(api)
          .get('/scheduled_events/EV2/invitees/IN2')
          .reply(200, { resource: invitee })
          .get('/scheduled_events/EV2')
          .reply(200, { resource: scheduled_event })
        await pass(30)
        expect(bench.toldInShort().slice(1)).to.deep.equal(['booking.rescheduled IN2'])
      })

      it('is alerted after some minutes in which the API did not answer', async () => {
        open({ token: 'token-1' })
        await created(first)
        await canceled(half)
        nock(api).persist().get(/./).reply(503)
        await tenMinutes()
        expect(bench.lines.some(line => line.message === 'alert')).to.equal(false)
        for (let minute = 0; minute < 30; minute += 1) await pass(1)
        expect(bench.lines.find(line => line.message === 'alert')).to.deep.include({ about: 'look' })
        nock.cleanAll()
      })

      it('is alerted without a token', async () => {
        open()
        await created(first)
        await canceled(half)
        expect(bench.lines.some(line => line.message === 'alert')).to.equal(false)
        await tenMinutes()
        expect(bench.lines.find(line => line.message === 'alert')).to.deep.include({ booking: uri(2) })
      })
    })
  })

  it('ends a chain of three in the same bookings, whatever the order and the repeats', async () => {
    open()
    const created = (invitee: SampleInvitee) => sample('invitee.created', invitee, invitee.bookedAt!)
    const canceled = (invitee: SampleInvitee, minutes: number) =>
      sample('invitee.canceled', invitee, later(minutes))
    const sample = (event: string, invitee: SampleInvitee, when: Date) =>
      calendlyDelivery({ key: signingKey, event, invitee, at: when })
    const chain = (prefix: string) => {
      const one = { ...at(1), id: `${prefix}A`, meeting: `${prefix}MA`, hosts: [prefix] }
      const two = {
        ...one,
        id: `${prefix}B`,
        meeting: `${prefix}MB`,
        startsAt: otherTime,
        bookedAt: later(10),
      }
      const three = { ...one, id: `${prefix}C`, meeting: `${prefix}MC`, bookedAt: later(20) }
      return [
        created(one),
        canceled({ ...one, newInvitee: two }, 10),
        created({ ...two, oldInvitee: one }),
        canceled({ ...two, oldInvitee: one, newInvitee: three }, 20),
        created({ ...three, oldInvitee: two }),
      ]
    }
    // All of them take the store half a minute; a test of facts alone takes them all.
    const orders = permutations([0, 1, 2, 3, 4]).filter((_, index) => index % 11 === 0)
    const chains = orders.map((_, index) => chain(`X${index}-`))
    for (let step = 0; step < 5; step += 1) {
      const deliveries = orders.map((order, index) => chains[index]![order[step]!]!)
      await Promise.all([...deliveries, ...deliveries].map(bench.deliver))
      await bench.inbox.drain()
    }
    const { rows } = await bench.inbox.bookings({}, { limit: 1000 })
    expect(rows).to.have.length(3 * orders.length)
    for (const row of rows) {
      const [prefix, letter] = [shortId(row.id).slice(0, -1), shortId(row.id).slice(-1)]
      expect(row.status, row.id).to.equal(letter === 'C' ? 'confirmed' : 'rescheduled')
      expect(shortId(row.threadId)).to.equal(`${prefix}A`)
    }
    const calendar = new Set<string>()
    for (const { event } of bench.told) {
      if (event.previous) calendar.delete(event.previous.bookingId)
      if (event.type === 'booking.canceled') calendar.delete(event.booking.id)
      else if (event.type !== 'booking.conflict') calendar.add(event.booking!.id)
    }
    expect([...calendar].map(id => shortId(id).slice(-1)).join('')).to.equal('C'.repeat(orders.length))
  })

  it('counts what two subscriptions tell of one booking as one', async () => {
    open()
    await created(at(1))
    const payload = samplePayload(at(1), bookedAt)
    await bench.calendly({ event: 'invitee.created', at: later(1), payload })
    expect(await outcomes()).to.deep.equal(['accepted x2'])
  })

  it('tells a create that was canceled by then as both, and the real cancel is a repeat', async () => {
    open()
    const cancellation = { canceler_type: 'host', created_at: later(5).toISOString() }
    await created(at(1), { payload: { status: 'canceled', cancellation } })
    await canceled(at(1), { payload: { cancellation } })
    expect(await bookings()).to.deep.equal(['IN1 canceled'])
    expect((await bench.inbox.events()).rows.map(row => [row.type, row.deliveries]).sort()).to.deep.equal([
      ['booking.canceled', 2],
      ['booking.created', 1],
    ])
    expect(bench.toldInShort()).to.deep.equal(['booking.created IN1', 'booking.canceled IN1'])
  })

  it('changes no booking for a routing form, and keeps what makes no sense', async () => {
    open()
    await created(at(1))
    await bench.calendly({
      event: 'routing_form_submission.created',
      payload: { uri: 'RS1', submitter: uri(1) },
    })
    await bench.calendly({ event: 'meeting_poll.created', payload: {} })
    await bench.calendly({ event: 'invitee.created', payload: { uri: undefined } })
    expect(await bookings()).to.deep.equal(['IN1 confirmed'])
    expect(await outcomes()).to.deep.equal(['accepted x1', 'accepted x1', 'accepted x1', 'unreadable x1'])
    expect(bench.toldInShort().slice(1)).to.deep.equal([
      'provider.routing_form_submission.created routing_form_submission.created',
      'provider.meeting_poll.created meeting_poll.created',
    ])
  })

  describe('an old payload, without its meeting', () => {
    const old = { payload: { scheduled_event: undefined } }

    it('is told with nulls and holds no slot where there is no token', async () => {
      open()
      await created(at(1), old)
      await created(at(2))
      expect(bench.toldInShort()).to.deep.equal(['booking.created IN1', 'booking.created IN2'])
      expect(bench.told[0]!.event.booking).to.deep.include({ startsAt: null, hosts: [], title: null })
    })

    it('is filled and takes its slot where there is one', async () => {
      open({ token: 'token-1' })
      nock(api)
        .get('/scheduled_events/EV1')
        .reply(200, { resource: samplePayload(at(1), bookedAt).scheduled_event })
      await created(at(1), old)
      await created(at(2))
      expect(bench.toldInShort()).to.deep.equal(['booking.created IN1', 'booking.conflict IN2'])
      expect(bench.told[0]!.event.booking).to.deep.include({ startsAt: '2099-10-14T21:00:00.000000Z' })
    })

    it('is told with nulls after ten minutes of waiting that Calendly asks for, and so is what came after it', async () => {
      open({ token: 'token-1' })
      nock(api).persist().get(/./).reply(429, {}, { 'retry-after': '60' })
      await created(at(1), old)
      await canceled(at(1))
      for (let minute = 1; minute < 10; minute += 1) await pass(1)
      expect(bench.toldInShort()).to.deep.equal([])
      await pass(1)
      await pass(0.1)
      expect(bench.toldInShort().sort()).to.deep.equal(['booking.canceled IN1', 'booking.created IN1'])
    })

    it('is told with nulls at once where Calendly asks to wait for longer than that', async () => {
      open({ token: 'token-1' })
      nock(api).persist().get(/./).reply(429, {}, { 'retry-after': '3600' })
      await created(at(1), old)
      await created(at(2), old)
      expect(bench.toldInShort()).to.deep.equal(['booking.created IN1', 'booking.created IN2'])
    })

    it('is told with nulls where Calendly has deleted it', async () => {
      open({ token: 'token-1' })
      nock(api).get('/scheduled_events/EV1').reply(404)
      await created(at(1), old)
      expect(bench.toldInShort()).to.deep.equal(['booking.created IN1'])
    })
  })

  it('tells a video link that was not there yet when it is', async () => {
    open({ token: 'token-1' })
    const { scheduled_event } = samplePayload(at(1), bookedAt)
    const meeting = (location: object) => ({ ...(scheduled_event as object), location })
    const coming = meeting({ type: 'zoom', status: 'processing', join_url: null })
    const there = meeting({ type: 'zoom', status: 'pushed', join_url: 'https://example.com/j' })
    await created(at(1), { payload: { scheduled_event: coming } })
    expect(bench.told[0]!.event.booking!.location!.url).to.equal(null)
    nock(api).get('/scheduled_events/EV1').reply(200, { resource: coming })
    nock(api)
      .get('/scheduled_events/EV1')
      .reply(200, { resource: there })
      .get('/scheduled_events/EV1/invitees/IN1')
      .reply(200, { resource: samplePayload(at(1), bookedAt) })
    for (const seconds of [30, 60]) {
      clockUs += seconds * 1_000_000
      await bench.inbox.drain()
    }
    expect(bench.toldInShort()).to.deep.equal(['booking.created IN1', 'booking.updated IN1'])
    expect(bench.told[1]!.event.booking!.location!.url).to.equal('https://example.com/j')
    expect(bench.told[1]!.event.booking!.title).to.equal('Intro call')
  })

  it('keeps names that databases refuse', async () => {
    open()
    await created(at(1), { payload: { name: 'Ann \u0000\ud83d😀', email: 'ann@example.com' } })
    expect(bench.told[0]!.event.booking!.attendee!.name).to.equal('Ann \ufffd\ufffd😀')
    expect(bench.told[0]!.event.raw).to.have.nested.property('payload.name', 'Ann \ufffd\ufffd😀')
  })

  it('refuses an account that it has no key for', async () => {
    open()
    const reply = await bench.calendly({ event: 'invitee.created', account: 'nobody' })
    expect(reply.status).to.equal(401)
  })
})
