import {
  type CalcomApiBooking,
  type CalcomEnvelope,
  type CalcomOptions,
  calcom,
} from '@booking-webhooks/calcom'
import {
  type CalcomDeliveryOptions,
  calcomDelivery,
  calcomSignature,
  calcomStories,
  type SampleBooking,
} from '@booking-webhooks/calcom/testing'
import { expect } from 'chai'
import nock from 'nock'
import { withoutNetwork } from '../support/without-network.js'
import { type Workbench, workbench } from '../support/workbench.js'

const secret = 'calcom-test-key-one-not-a-secret'
const api = 'https://api.cal.com'
const sentAt = new Date()
const startsAt = new Date('2099-10-14T21:00:00Z')

describe('calcom: through an inbox', () => {
  let bench: Workbench
  let clockUs: number
  const open = (options: Partial<CalcomOptions> = {}) => {
    clockUs = Date.now() * 1000
    bench = workbench({ providers: [calcom({ secret, ...options })], store: { now: () => clockUs } })
  }
  afterEach(() => bench.close())
  withoutNetwork()

  const story = async (name: keyof typeof calcomStories) => {
    open()
    for (const delivery of calcomStories[name]({ key: secret, startsAt })) {
      expect((await bench.deliver(delivery)).status).to.equal(200)
      await bench.inbox.drain()
    }
    return bench.toldInShort()
  }
  const send = async (
    trigger: string,
    booking: SampleBooking,
    minutes: number,
    more: Partial<CalcomDeliveryOptions> = {},
  ) => {
    const at = new Date(sentAt.getTime() + (minutes - 60) * 60_000)
    const reply = await bench.deliver(
      calcomDelivery({ key: secret, trigger, booking: { startsAt, ...booking }, sentAt, at, ...more }),
    )
    await bench.inbox.drain()
    return reply.status
  }
  const later = async (minutes: number) => {
    clockUs += minutes * 60_000_000
    await bench.inbox.drain()
  }
  const outcomes = async () =>
    (await bench.inbox.events()).rows.reverse().map(row => `${row.outcome} x${row.deliveries}`)
  const bookings = async () =>
    Object.fromEntries((await bench.inbox.bookings()).rows.map(row => [row.id, row.status]))
  const answers = (uid: string, data: CalcomApiBooking | CalcomApiBooking[]) =>
    nock(api).get(`/v2/bookings/${uid}`).reply(200, { status: 'success', data })

  const seat = {
    ann: 'seat:11111111-1111-4111-8111-111111111111',
    bob: 'seat:22222222-2222-4222-8222-222222222222',
  }
  const stories: [name: keyof typeof calcomStories, told: string[]][] = [
    ['book', ['booking.created uid1']],
    ['cancel', ['booking.created uid1', 'booking.canceled uid1']],
    ['reschedule', ['booking.created uid1', 'booking.rescheduled uid1b']],
    ['reschedule-reversed', ['booking.rescheduled uid1b']],
    ['reschedule-chain', ['booking.created uid1', 'booking.rescheduled uid1b', 'booking.rescheduled uid1c']],
    ['late-create', ['booking.canceled uid1']],
    ['no-show', ['booking.created uid1', 'booking.no_show uid1', 'booking.updated uid1']],
    ['group', [`booking.created ${seat.ann}`, `booking.created ${seat.bob}`, `booking.canceled ${seat.ann}`]],
    [
      'double-booking',
      ['booking.created uid1', 'booking.conflict uid2', 'booking.canceled uid1', 'booking.created uid2'],
    ],
    ['retry', ['booking.created uid1']],
    ['two-subscriptions', ['booking.created uid1']],
    ['request', ['booking.requested uid1', 'booking.created uid1']],
    ['request-rejected', ['booking.requested uid1', 'booking.rejected uid1']],
    ['request-to-reschedule', ['booking.created uid1', 'booking.canceled uid1', 'booking.rescheduled uid1b']],
    ['reschedule-to-confirm', ['booking.created uid1', 'booking.rescheduled uid1b', 'booking.created uid1b']],
    [
      'seat-moves',
      [`booking.created ${seat.ann}`, `booking.created ${seat.bob}`, `booking.rescheduled ${seat.ann}`],
    ],
    [
      'meeting-moves',
      [
        `booking.created ${seat.ann}`,
        `booking.created ${seat.bob}`,
        `booking.rescheduled ${seat.ann}`,
        `booking.rescheduled ${seat.bob}`,
      ],
    ],
    [
      'paid',
      [
        'provider.BOOKING_PAYMENT_INITIATED BOOKING_PAYMENT_INITIATED',
        'booking.paid uid1',
        'booking.created uid1',
      ],
    ],
    ['meeting', ['booking.created uid1', 'booking.started uid1', 'booking.ended uid1']],
    ['reassigned', ['booking.created uid1', 'booking.rescheduled uid1']],
    ['ping', ['provider.PING PING']],
    ['unknown', ['provider.BOOKING_FOO BOOKING_FOO']],
  ]
  for (const [name, told] of stories)
    it(`tells the story ${name}`, async () => {
      expect((await story(name)).sort()).to.deep.equal([...told].sort())
      expect(stories.map(([known]) => known)).to.have.members(Object.keys(calcomStories))
    })

  it('types what the provider sent', async () => {
    await story('book')
    const raw = bench.told[0].event.raw as CalcomEnvelope
    expect(raw.payload?.uid).to.equal('uid1')
    expect(bench.told[0].event).to.include({ providerType: 'BOOKING_CREATED', occurredAtSource: 'provider' })
  })

  it('keeps no row of what nobody signed, and one of what makes no sense', async () => {
    open()
    const delivery = calcomDelivery({ key: secret, trigger: 'BOOKING_CREATED' })
    const unsigned = { ...delivery.headers, 'x-cal-signature-256': 'no-secret-provided' }
    expect((await bench.deliver({ ...delivery, headers: unsigned })).status).to.equal(401)
    expect((await bench.deliver(calcomDelivery({ key: 'another', trigger: 'PING' }))).status).to.equal(401)
    expect((await bench.inbox.events()).rows).to.deep.equal([])
    expect(await send('BOOKING_CREATED', {}, 0, { payload: { uid: null } })).to.equal(200)
    for (const text of ['false', '[]', 'null', 'content=New booking&who=O&#x27;Brien', '\xff']) {
      const bytes = new Uint8Array(Buffer.from(text, 'latin1'))
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-cal-signature-256': calcomSignature(secret, bytes),
      }
      expect((await bench.deliver({ ...delivery, headers, body: bytes })).status).to.equal(200)
    }
    await bench.inbox.drain()
    expect(await outcomes()).to.deep.equal(Array(6).fill('unreadable x1'))
    expect(bench.told).to.deep.equal([])
  })

  it('ignores a ping where nobody listens to it, and makes no booking of it', async () => {
    bench = workbench({ providers: [calcom({ secret })], on: { 'booking.created': null } })
    expect((await bench.deliver(calcomDelivery({ key: secret, trigger: 'PING' }))).status).to.equal(200)
    await bench.inbox.drain()
    expect(await outcomes()).to.deep.equal(['ignored x1'])
    expect(await bookings()).to.deep.equal({})
  })

  it('takes a body of one account for none of another’s', async () => {
    open({ secret: { a: secret, b: 'the secret of account b' } })
    const delivery = calcomDelivery({ key: secret, trigger: 'BOOKING_CREATED', account: 'a' })
    expect((await bench.deliver({ ...delivery, path: '/calcom/b' })).status).to.equal(401)
    expect((await bench.deliver(delivery)).status).to.equal(200)
    expect((await bench.deliver({ ...delivery, path: '/calcom/nobody' })).status).to.equal(401)
  })

  it('hashes addresses with the installation’s secret', async () => {
    open()
    await send('BOOKING_CREATED', { uid: 'x', seatsPerTimeSlot: 5 }, 0)
    const [row] = (await bench.inbox.bookings()).rows
    expect(row.id).to.match(/^x~[0-9a-f]{32}@\d{13}$/)
    // SHA-256 over the address alone, which anyone could compute.
    expect(row.id).to.not.contain('71d4f55f72fa128dfb468a1a3901507c')
  })

  it('waits with a request that lacks its link until the API has told it', async () => {
    open({ apiKey: 'cal_key' })
    await send('BOOKING_CREATED', { uid: 'old' }, 0)
    answers('new', { uid: 'new', status: 'pending', rescheduledFromUid: 'old' })
    const payload = { responses: { rescheduleReason: { label: 'r', value: 'later' } } }
    await send('BOOKING_REQUESTED', { uid: 'new', startsAt: new Date('2099-10-15T21:00:00Z') }, 10, {
      payload,
    })
    expect(bench.toldInShort()).to.deep.equal(['booking.created old', 'booking.rescheduled new'])
    expect(await bookings()).to.deep.equal({ old: 'rescheduled', new: 'requested' })
    await send('BOOKING_CREATED', { uid: 'new', startsAt: new Date('2099-10-15T21:00:00Z') }, 20, {
      isAccepted: true,
    })
    expect(bench.toldInShort().at(-1)).to.equal('booking.created new')
  })

  it('tells it without where the API is not open to it, and joins the two once it is', async () => {
    open({ apiKey: 'cal_key' })
    await send('BOOKING_CREATED', { uid: 'old' }, 0)
    nock(api).get('/v2/bookings/new').reply(401)
    const payload = { responses: { rescheduleReason: { label: 'r', value: 'later' } } }
    await send('BOOKING_REQUESTED', { uid: 'new', startsAt: new Date('2099-10-15T21:00:00Z') }, 10, {
      payload,
    })
    expect(bench.toldInShort()).to.deep.equal(['booking.created old', 'booking.requested new'])
    answers('new', { uid: 'new', status: 'pending', rescheduledFromUid: 'old' })
    await later(11)
    expect(bench.toldInShort().slice(2)).to.deep.equal(['booking.rescheduled new'])
    expect(await bookings()).to.deep.equal({ old: 'rescheduled', new: 'requested' })
  })

  it('holds no delivery for as long as the API says, and joins the two once that is over', async () => {
    open({ apiKey: 'cal_key' })
    const startsThen = new Date('2099-10-15T21:00:00Z')
    const payload = { responses: { rescheduleReason: { label: 'r', value: 'later' } } }
    await send('BOOKING_CREATED', { uid: 'old' }, 0)
    nock(api).get('/v2/bookings/new').reply(429, '', { 'retry-after': '3600' })
    await send('BOOKING_REQUESTED', { uid: 'new', startsAt: startsThen }, 10, { payload })
    await send('BOOKING_CANCELLED', { uid: 'new', startsAt: startsThen }, 11)
    // Nor one whose account was told so by another.
    await send('BOOKING_REQUESTED', { uid: 'third' }, 12, { payload })
    const atOnce = [
      'booking.created old',
      'booking.requested new',
      'booking.canceled new',
      'booking.requested third',
    ]
    expect(bench.toldInShort()).to.deep.equal(atOnce)
    await later(59)
    expect(bench.toldInShort()).to.deep.equal(atOnce)
    answers('new', { uid: 'new', status: 'cancelled' })
    answers('third', { uid: 'third', status: 'pending', rescheduledFromUid: 'old' })
    await later(2)
    await later(2)
    expect(bench.toldInShort().slice(4)).to.deep.equal(['booking.rescheduled third'])
  })

  it('cancels the rest of a series once, whether the API or a webhook tells it first', async () => {
    open({ apiKey: 'cal_key' })
    const days = ['one', 'two', 'three'].map((uid, day) => ({
      uid,
      startsAt: new Date(Date.UTC(2099, 9, 14 + day, 21)),
    }))
    for (const booking of days) await send('BOOKING_CREATED', { ...booking, seriesOf: 3 }, 0)
    await send('BOOKING_CANCELLED', { ...days[0], seriesOf: 3 }, 10)
    await send('BOOKING_CANCELLED', days[1], 11)
    expect(await bookings()).to.deep.equal({ one: 'canceled', two: 'canceled', three: 'confirmed' })
    const canceled = (uid: string) => ({ uid, status: 'cancelled', recurringBookingUid: 'series' }) as const
    answers('one', canceled('one'))
    answers(
      'series',
      days.map(({ uid }) => canceled(uid)),
    )
    await later(2)
    expect(await bookings()).to.deep.equal({ one: 'canceled', two: 'canceled', three: 'canceled' })
    expect(bench.toldInShort().slice(3)).to.deep.equal([
      'booking.canceled one',
      'booking.canceled two',
      'booking.canceled three',
    ])
    await send('BOOKING_CANCELLED', days[2], 10)
    expect(bench.told).to.have.length(6)
  })

  it('warns of a series that it cannot ask about', async () => {
    open()
    await send('BOOKING_CANCELLED', { uid: 'one', seriesOf: 3 }, 10)
    expect(await bookings()).to.deep.equal({ one: 'canceled' })
    const warnings = bench.lines.filter(({ level, booking }) => level === 'warn' && booking === 'one')
    expect(warnings.map(({ message }) => message).join()).to.contain('a whole series')
  })

  it('tells the end of a meeting that is not known here once, whoever was named', async () => {
    open({ apiKey: 'cal_key' })
    const group = { uid: 'x', seatsPerTimeSlot: 5 }
    await send('BOOKING_CANCELLED', group, 10)
    answers('x', { uid: 'x', status: 'cancelled' })
    await later(2)
    expect(bench.toldInShort()).to.deep.equal(['booking.canceled x'])
    expect(await outcomes()).to.deep.equal(['accepted x1', 'unchanged x1'])
    // Whoever turns out to have been in it is out, too.
    await send('BOOKING_CREATED', { ...group, name: 'Bob', email: 'bob@example.com' }, 1)
    expect(bench.told).to.have.length(1)
    await send('BOOKING_CANCELLED', { ...group, uid: 'y' }, 10, { payload: { attendees: [] } })
    answers('y', { uid: 'y', status: 'cancelled' })
    await later(2)
    expect(bench.toldInShort().slice(1)).to.deep.equal(['booking.canceled y'])
  })

  it('asks what became of a meeting whose cancel names nobody', async () => {
    open({ apiKey: 'cal_key' })
    const group = { uid: 'x', seatsPerTimeSlot: 5, seat: seat.ann.slice(5) }
    await send('BOOKING_CREATED', group, 0)
    await send('BOOKING_CANCELLED', group, 10, { payload: { attendees: [] } })
    expect(await bookings()).to.deep.equal({ [seat.ann]: 'confirmed' })
    answers('x', { uid: 'x', status: 'cancelled' })
    await later(2)
    expect(await bookings()).to.deep.equal({ [seat.ann]: 'canceled' })
    expect(bench.toldInShort()).to.deep.equal([`booking.created ${seat.ann}`, `booking.canceled ${seat.ann}`])
  })
})
