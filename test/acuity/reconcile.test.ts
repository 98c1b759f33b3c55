import { type ReconcileOptions, reconcile } from '@booking-webhooks/acuity/reconcile'
import { sampleAppointment } from '@booking-webhooks/acuity/testing'
import { type ErrorCode, isBookingWebhooksError } from '@booking-webhooks/core'
import { expect } from 'chai'
import nock from 'nock'
import { authorization, id, type Studio, type StudioOptions, studio } from './studio.js'

const A = { datetime: '2027-03-10T10:15:00-0800' }
const canceled = { canceled: true, canClientCancel: false, canClientReschedule: false }
const nothing = { differing: 0, missing: 0 }

describe('reconcile: what no webhook told', () => {
  let salon: Studio
  const open = async (options?: StudioOptions) => {
    salon = await studio(options)
    await salon.inbox.start()
  }
  const found = async (more: Partial<ReconcileOptions> = {}) => {
    const counts = await reconcile(salon.adapter, { inbox: salon.inbox, ...more })
    await salon.inbox.drain()
    return counts
  }
  const errorOf = async (more: Partial<ReconcileOptions>, code: ErrorCode = 'FETCH_FAILED') => {
    const error = await found(more).then(
      () => expect.fail('it did not fail'),
      (reason: unknown) => reason,
    )
    if (!isBookingWebhooksError(error, code)) throw error
    expect(`${error.message}${error.stack}`).to.not.match(/test-key-1|@example\.com/)
    return error.message
  }
  const lists = () => salon.fake.calls.filter(call => call.id === null)
  const asked = () => salon.fake.calls.filter(call => call.id !== null).map(call => Number(call.id))
  /** As many appointments on one day and calendar, each at a minute of its own. */
  const fill = (count: number, { day = '2027-03-10', calendarID = 40001, firstId = 1 } = {}) => {
    for (let number = 0; number < count; number += 1) {
      const time = new Date(Date.UTC(2000, 0, 1, 8, number)).toISOString().slice(11, 19)
      salon.fake.put({ id: firstId + number, calendarID, datetime: `${day}T${time}-0800` })
    }
  }
  afterEach(() => salon.end())

  it('tells a create, a move and a cancel that were missed, each once', async () => {
    await open()
    await salon.settle('scheduled', A)
    await salon.settle('scheduled', { ...A, id: id + 1, calendarID: 2 })
    await salon.settle('scheduled', { ...A, id: id + 2, calendarID: 3 })
    await salon.settle('scheduled', { ...A, id: id + 3, calendarID: 4 })
    salon.fake.put({ id, ...canceled })
    salon.fake.put({ id: id + 1, datetime: '2027-03-12T10:15:00-0800' })
    salon.fake.put({ id: id + 2, calendarID: 5 })
    salon.fake.put({ id: id + 9, calendarID: 6, ...A, email: 'new@example.com' })
    salon.told.length = 0

    expect(await found()).to.deep.equal({ lists: 1, appointments: 5, differing: 4, missing: 0 })
    expect(salon.told.map(({ event }) => `${event.type} ${event.booking?.id}`).sort()).to.deep.equal([
      `booking.canceled ${id}`,
      `booking.created ${id + 9}`,
      `booking.rescheduled ${id + 1}`,
      `booking.rescheduled ${id + 2}`,
    ])
    expect(salon.told.map(({ event }) => event.providerType)).to.include('reconcile')
    expect(salon.slots().map(slot => slot.split(' ')[0])).to.deep.equal(['2', '4', '5', '6'])

    expect(await found()).to.deep.include({ appointments: 5, ...nothing })
    expect(salon.told).to.have.length(4)
    expect(asked(), 'those that are as stored are not asked for').to.have.length(4 + 4)
  })

  it('tells nothing where all is as it is stored, canceled ones and classes included', async () => {
    await open()
    await salon.settle('scheduled', A)
    await salon.settle('canceled', { ...canceled, noShow: true })
    await salon.settle('scheduled', { id: 1, ...A, classID: 77001 })
    await salon.settle('scheduled', {
      id: 2,
      ...A,
      calendarID: 9,
      email: '',
      phone: '',
      firstName: '',
      lastName: '',
    })
    await salon.settle('scheduled', { id: 3, ...A, duration: 'long', calendarID: null })
    await salon.settle('scheduled', { id: 4, ...A, calendarID: 9 })
    expect(salon.told.at(-1)?.event.type).to.equal('booking.conflict')
    const told = salon.told.length
    expect(await found()).to.deep.include({ appointments: 5, ...nothing })
    expect(salon.told).to.have.length(told)
  })

  it('tells nothing either where slots are off', async () => {
    await open({ slots: false })
    await salon.settle('scheduled', A)
    await salon.settle('scheduled', { id: 4, ...A })
    expect(await found()).to.deep.include({ appointments: 2, ...nothing })
  })

  it('finds what only the guest, the end, the class or the no-show tells apart', async () => {
    await open()
    for (const number of [1, 2, 3, 4])
      await salon.settle('scheduled', { id: number, calendarID: number, ...A })
    await salon.settle('canceled', { id: 3, ...canceled })
    salon.told.length = 0
    salon.fake.put({ id: 1, email: 'other@example.com' })
    salon.fake.put({ id: 2, duration: '90' })
    salon.fake.put({ id: 3, noShow: true })
    salon.fake.put({ id: 4, classID: 77001 })
    expect(await found()).to.deep.include({ differing: 4, missing: 0 })
    expect(salon.told.map(({ event }) => `${event.type} ${event.booking?.id}`).sort()).to.deep.equal([
      'booking.no_show 3',
      'booking.updated 1',
      'booking.updated 2',
      'booking.updated 4',
    ])
    expect(await found()).to.deep.include(nothing)
  })

  it('looks again at a booking that stands in the window and is not listed there', async () => {
    await open()
    await salon.settle('scheduled', A)
    await salon.settle('scheduled', { id: 2, calendarID: 2, datetime: '2027-09-01T10:00:00-0700' })
    salon.fake.put({ id, datetime: '2027-08-01T10:15:00-0700' })
    expect(await found()).to.deep.equal({ lists: 1, appointments: 0, differing: 0, missing: 1 })
    expect(salon.heard().at(-1)).to.equal('booking.rescheduled 2027-08-01T17:15')
    expect(await found()).to.deep.include(nothing)
  })

  it('does not ask for the name of a guest who was erased', async () => {
    await open()
    await salon.settle('scheduled', A)
    await salon.inbox.erase({ booking: String(id) })
    expect(await found()).to.deep.include({ appointments: 1, ...nothing })
    expect(asked()).to.have.length(1)
  })

  it('tells of appointments older than the installation once, and finds nothing to do from then on', async () => {
    await open({ acuity: { since: '2027-03-01T14:04:06Z' } })
    salon.fake.put({ id, ...A })
    salon.fake.put({ id: 2, calendarID: 2, ...A, ...canceled })
    expect(await found()).to.deep.include({ differing: 2 })
    expect(await found()).to.deep.include(nothing)
    expect(salon.heard().sort()).to.deep.equal([
      'booking.canceled 2027-03-10T18:15',
      'booking.updated 2027-03-10T18:15',
    ])
    expect((await salon.booking())?.status).to.equal('confirmed')
    expect(salon.slots()).to.deep.equal([`40001 2027-03-10T18:15 ${id}`])
  })

  it('asks again for all where the resources are the user’s own names, and tells nothing of it', async () => {
    await open({ resources: () => ['grace'] })
    await salon.settle('scheduled', A)
    expect(await found()).to.deep.include({ differing: 1, missing: 0 })
    expect(salon.told).to.have.length(1)
  })

  it('asks for canceled ones too, without forms, a day more on either side', async () => {
    await open()
    await found({ from: new Date('2027-03-01T00:00:00Z'), to: new Date('2027-03-31T23:59:59Z') })
    expect(lists().map(call => Object.fromEntries(new URLSearchParams(call.query)))).to.deep.equal([
      {
        minDate: '2027-02-28',
        maxDate: '2027-04-01',
        showall: 'true',
        excludeForms: 'true',
        max: '100',
        direction: 'ASC',
      },
    ])
    await found()
    const usual = new URLSearchParams(lists().at(-1)?.query)
    expect([usual.get('minDate'), usual.get('maxDate')]).to.deep.equal(['2027-02-21', '2027-05-01'])
  })

  it('splits a window of exactly as many rows as asked for, until none is full', async function () {
    this.timeout(20_000)
    await open()
    fill(99, { day: '2027-03-10' })
    const march = { from: new Date('2027-03-02T00:00:00Z'), to: new Date('2027-03-31T00:00:00Z') }
    expect(await found(march)).to.include({ lists: 1, appointments: 99, differing: 99 })

    fill(1, { day: '2027-03-20', firstId: 500 })
    expect(await found(march)).to.include({ lists: 3, appointments: 100, differing: 1 })
    const days = lists().map(call => new URLSearchParams(call.query))
    expect(days.slice(1).map(query => `${query.get('minDate')} ${query.get('maxDate')}`)).to.deep.equal([
      '2027-03-01 2027-04-01',
      '2027-03-01 2027-03-16',
      '2027-03-17 2027-04-01',
    ])
    fill(150, { day: '2027-03-21', calendarID: 2, firstId: 1_000 })
    fill(99, { day: '2027-03-22', calendarID: 3, firstId: 2_000 })
    salon.told.length = 0
    expect(await errorOf(march)).to.contain('2027-03-21')
    expect(salon.told).to.deep.equal([])
  })

  it('lists a full day calendar by calendar, and says so where it cannot', async function () {
    this.timeout(20_000)
    await open()
    fill(60, { calendarID: 1 })
    fill(60, { calendarID: 2, firstId: 1_000 })
    expect(await errorOf({})).to.match(/2027-03-10 has 100 appointments or more.*calendars/)
    expect(await errorOf({ calendars: [1] })).to.contain('Name all calendars')
    expect(salon.told).to.deep.equal([])
    expect(await found({ calendars: [1, '2'] })).to.include({ appointments: 120, differing: 120 })
    expect(salon.told).to.have.length(120)
    fill(100, { calendarID: 2, firstId: 1_000 })
    expect(await errorOf({ calendars: [1, 2] })).to.contain('Calendar 2 alone')
  })

  it('waits where Acuity wants fewer requests, and ends when it is called off', async function () {
    this.timeout(10_000)
    await open()
    salon.fake.put({ id, ...A })
    salon.fake.answer('*', { status: 429, headers: { 'retry-after': '1' } })
    expect(await found()).to.deep.include({ differing: 1 })
    salon.fake.answer('*', { hang: true })
    const hung = found({ signal: AbortSignal.timeout(50) })
    expect(await hung.catch((error: Error) => error.name)).to.equal('TimeoutError')
    const calledOff = new AbortController()
    calledOff.abort(new Error('enough'))
    const ended = found({ signal: calledOff.signal })
    expect(await ended.catch((error: Error) => error.message)).to.equal('enough')
  })

  it('looks at nobody where the lists cannot be had', async () => {
    await open()
    salon.fake.put({ id, ...A })
    const answers: [Parameters<Studio['fake']['answer']>[1], RegExp][] = [
      [{ status: 503 }, /Acuity answered 503 to GET \/appointments: Invented\.$/],
      [{ body: '<html>' }, /the body/],
      [{ body: '{}' }, /not with a list/],
      [{ body: '[{"id":1},{}]' }, /not with a list/],
      [{ status: 401, times: 2 }, /credentials/],
    ]
    for (const [answer, words] of answers) {
      salon.fake.answer('*', answer)
      expect(await errorOf({})).to.match(words)
      salon.fake.answer('*')
    }
    expect(asked()).to.deep.equal([])
  })

  it('keeps accounts apart, and needs the inbox of its adapter', async () => {
    await open({
      acuity: {
        apiKey: { default: 'test-key-1', b: 'test-key-1' },
        userId: { default: '1000001', b: '1000001' },
      },
    })
    salon.fake.put({ id, ...A })
    await found({ account: 'b' })
    expect(salon.told.map(({ event }) => event.account)).to.deep.equal(['b'])
    await found()
    expect(salon.told.map(({ event }) => event.account)).to.deep.equal(['b', 'default'])
    const other = await studio({ acuity: { apiKey: 'test-key-2' } })
    try {
      salon.fake.put({ id: 7, ...A })
      expect(await errorOf({ inbox: other.inbox }, 'INVALID_OPTION')).to.contain('this very adapter')
    } finally {
      await other.end()
    }
    expect(await errorOf({ account: 'c' }, 'INVALID_OPTION')).to.contain('no credentials')
    expect(await errorOf({ from: new Date('soon') }, 'INVALID_OPTION')).to.contain('from')
    expect(await errorOf({ to: new Date(0) }, 'INVALID_OPTION')).to.contain('later')
    expect(salon.fake.authorization).to.equal(authorization)
  })

  it('says when the inbox takes nothing', async () => {
    await open()
    salon.fake.put({ id, ...A })
    const { inbox } = salon
    const closing = {
      ...inbox,
      bookings: inbox.bookings,
      receive: async (...given: Parameters<typeof inbox.receive>) => {
        await inbox.close()
        return inbox.receive(...given)
      },
    }
    const error = await reconcile(salon.adapter, { inbox: closing }).catch((reason: unknown) => reason)
    expect(isBookingWebhooksError(error, 'STORE_UNAVAILABLE'), String(error)).to.equal(true)
  })

  it('asks Acuity itself as its pages say, and takes a 429 for what it is', async function () {
    this.timeout(10_000)
    await open({ acuity: { apiUrl: undefined } })
    const rows = [1, 2].map(number => sampleAppointment({ id: number, calendarID: number, ...A }))
    const api = nock('https://acuityscheduling.com/api/v1', { reqheaders: { authorization } })
    const isAsked = { minDate: '2027-02-21', maxDate: '2027-05-01', showall: 'true', max: '100' }
    const list = () =>
      api
        .get('/appointments')
        .query(query => Object.entries(isAsked).every(([name, value]) => query[name] === value))
    nock.disableNetConnect()
    try {
      list().reply(429, {}, { 'retry-after': '1' })
      list().reply(200, rows)
      for (const row of rows) api.get(`/appointments/${row.id}`).reply(200, row)
      expect(await found()).to.deep.equal({ lists: 1, appointments: 2, differing: 2, missing: 0 })
      expect(nock.pendingMocks()).to.deep.equal([])
      expect(salon.told.map(({ event }) => event.type)).to.deep.equal(['booking.created', 'booking.created'])
    } finally {
      nock.cleanAll()
      nock.enableNetConnect()
    }
  })
})
