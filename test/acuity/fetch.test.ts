import { type AcuityOptions, acuity } from '@booking-webhooks/acuity'
import { sampleAppointment } from '@booking-webhooks/acuity/testing'
import {
  type FetchContext,
  FetchError,
  type FetchFailure,
  jsonLog,
  type StoredReading,
} from '@booking-webhooks/core'
import { expect } from 'chai'
import nock from 'nock'
import { withoutNetwork } from '../support/without-network.js'
import { poke, stored } from './requests.js'

const host = 'https://acuityscheduling.com'
const path = '/api/v1/appointments/510200301'
const basic = 'Basic MTAwMDAwMTp0ZXN0LWtleS0x'
const appointment = sampleAppointment({ id: 510200301 })
const credentials: AcuityOptions = { apiKey: 'test-key-1', userId: '1000001', requestsPerSecond: 1_000 }

interface Asked {
  options?: Partial<AcuityOptions>
  reading?: StoredReading
  serves?: readonly StoredReading[]
  attempt?: number
  failed?: FetchContext['failed']
  signal?: AbortSignal
}

function ask({
  options,
  reading = stored(poke('changed')),
  serves = [reading],
  attempt = 1,
  failed,
  signal,
}: Asked = {}) {
  return from(acuity({ ...credentials, ...options }), { reading, serves, attempt, failed, signal })
}

async function from(adapter: ReturnType<typeof acuity>, asked: Asked = {}): Promise<unknown> {
  const { reading = stored(poke('changed')), serves = [reading], attempt = 1, failed } = asked
  const signal = asked.signal ?? new AbortController().signal
  return adapter.fetch?.(reading, {
    signal,
    serves,
    attempt,
    failed,
    now: new Date(),
    log: jsonLog(() => {}),
  })
}

async function failureOf(asked: Asked | Promise<unknown> = {}): Promise<FetchFailure & { message: string }> {
  const error = await (asked instanceof Promise ? asked : ask(asked)).then(
    () => expect.fail('it did not fail'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof FetchError)) throw error
  for (const secret of ['test-key-1', basic, 'ada@example.com', 'EXAMPLE', 'token-'])
    expect(`${error.message} ${error.stack}`).to.not.contain(secret)
  return { ...error.failure, message: error.message }
}

describe('fetch: the API of Acuity', () => {
  withoutNetwork()

  it('asks for the appointment with user and key, and gives the whole answer', async () => {
    nock(host, { reqheaders: { authorization: basic, accept: 'application/json' } })
      .get(path)
      .reply(200, appointment)
    expect(await ask()).to.deep.equal(appointment)
  })

  it('uses the first key of several as the password', async () => {
    nock(host, { reqheaders: { authorization: basic } })
      .get(path)
      .reply(200, appointment)
    expect(await ask({ options: { apiKey: ['test-key-1', 'test-key-2'] } })).to.deep.equal(appointment)
  })

  it('keeps accounts apart', async () => {
    const options = {
      apiKey: { default: 'test-key-1', other: 'test-key-2' },
      userId: { default: '1000001', other: '1000002' },
    }
    nock(host, { reqheaders: { authorization: `Basic ${btoa('1000002:test-key-2')}` } })
      .get(path)
      .reply(200, appointment)
    await ask({ options, reading: stored(poke('changed'), { account: 'other' }) })
  })

  it('asks nobody for an account without a user, and for what is no appointment', async () => {
    const options = { apiKey: { default: 'test-key-1', other: 'k' }, userId: { default: '1000001' } }
    expect(await ask({ options, reading: stored(poke('changed'), { account: 'other' }) })).to.equal(null)
    expect(await ask({ reading: stored('action=order.completed&id=99') })).to.equal(null)
    expect(await ask({ options: { userId: undefined } })).to.equal(null)
    expect(await ask({ options: { userId: undefined, getToken: () => null } })).to.equal(null)
  })

  it('goes to another URL where one is set', async () => {
    nock('http://127.0.0.1:4010').get('/v1/appointments/510200301').reply(200, appointment)
    await ask({ options: { apiUrl: 'http://127.0.0.1:4010/v1/' } })
  })

  it('sends an OAuth token, and asks for another one once when it is refused', async () => {
    const asked: [string, boolean][] = []
    const getToken = (account: string, { isRefused }: { isRefused: boolean }) => {
      asked.push([account, isRefused])
      return isRefused ? 'token-2' : 'token-1'
    }
    nock(host, { reqheaders: { authorization: 'Bearer token-1' } })
      .get(path)
      .reply(401, {})
    nock(host, { reqheaders: { authorization: 'Bearer token-2' } })
      .get(path)
      .reply(200, appointment)
    expect(await ask({ options: { userId: undefined, getToken } })).to.deep.equal(appointment)
    expect(asked).to.deep.equal([
      ['default', false],
      ['default', true],
    ])
  })

  it('treats a function for the user or the key that throws as a failure that passes', async () => {
    const threw = () => {
      throw new Error('test-key-1 is locked')
    }
    const settings: [options: Partial<AcuityOptions>, message: string][] = [
      [{ userId: threw }, 'acuity({ userId }) threw.'],
      [{ userId: async () => threw() }, 'acuity({ userId }) threw.'],
      [{ apiKey: threw }, 'acuity({ apiKey }) threw.'],
      [{ userId: () => ' ' }, 'acuity({ userId }) for account "default" is empty. Is ACUITY_USER_ID set?'],
    ]
    for (const [options, message] of settings)
      expect(await failureOf({ options })).to.deep.include({ message, retry: 'backoff', attempts: 48 })
  })

  it('treats a getToken that throws, or gives nothing, as a failure that passes', async () => {
    const options = { userId: undefined }
    const threw = async () => {
      throw new Error('token-1 is wrong')
    }
    expect(await failureOf({ options: { ...options, getToken: threw } })).to.deep.include({
      retry: 'backoff',
    })
    expect(await failureOf({ options: { ...options, getToken: () => 'a\r\nb' } })).to.deep.include({
      retry: 'backoff',
    })
  })

  it('pauses the account for a minute at 401, counts nothing and raises one alert', async () => {
    nock(host).get(path).reply(401, { message: 'Unauthorized', error: 'unauthorized' })
    expect(await failureOf()).to.deep.include({
      retry: 60_000,
      counts: false,
      pauseAccountMs: 60_000,
      alert: 'credentials',
    })
  })

  for (const [status, alert] of [
    [404, undefined],
    [403, 'forbidden'],
  ] as const)
    it(`comes back five times at ${status}, then gives up: nothing was canceled`, async () => {
      for (const before of [0, 6]) {
        const gaps = []
        let failed: FetchContext['failed'] = {
          reason: 'Acuity answered 503 where 200 was expected.',
          times: 6,
        }
        for (const times of [1, 2, 3, 4, 5, 6, 7]) {
          nock(host).get(path).reply(status, { error: 'not_found' })
          const failure = await failureOf({ attempt: before + times, failed })
          expect(failure).to.deep.include({ counts: true, attempts: before + 6, givenUp: 'dead' })
          expect(failure.alert).to.equal(alert)
          gaps.push(failure.retry)
          failed = { reason: failure.message, times }
        }
        expect(gaps.slice(0, 5)).to.deep.equal([5_000, 30_000, 120_000, 600_000, 3_600_000])
      }
    })

  it('gives up for good where kinds of failures take turns for ever', async () => {
    nock(host).get(path).reply(404, {})
    expect(await failureOf({ attempt: 48 })).to.deep.include({ attempts: 48 })
    const reading = stored(poke('canceled'))
    nock(host)
      .get(path)
      .reply(200, { ...appointment, canceled: false })
    expect(await ask({ reading, attempt: 48 })).to.include({ canceled: false })
  })

  it('gives up at once at 400', async () => {
    nock(host).get(path).reply(400, {})
    expect(await failureOf()).to.deep.include({ retry: 'never', givenUp: 'dead' })
  })

  it('backs off for more than a day at 5xx, redirects, and what is not the appointment', async () => {
    const answers: [number, string, Record<string, string>?][] = [
      [500, '{}'],
      [503, '<html></html>'],
      [302, '', { location: 'https://elsewhere.example.com/login' }],
      [204, ''],
      [200, '<html>Down for maintenance</html>'],
      [200, ''],
      [200, 'null'],
      [200, '[]'],
      [200, JSON.stringify(appointment).slice(0, -9)],
      [200, JSON.stringify({ ...appointment, id: 510200302 })],
      [200, JSON.stringify({ ...appointment, datetime: '2027-03-10T10:15:00' })],
      [418, '{}'],
    ]
    for (const [status, body, headers] of answers) {
      nock(host)
        .get(path)
        .reply(status, status === 204 ? undefined : body, headers)
      const failure = await failureOf()
      expect(failure, `${status} ${body.slice(0, 20)}`).to.deep.include({
        retry: 'backoff',
        counts: true,
        givenUp: 'dead',
      })
      expect(failure.attempts).to.be.at.least(36)
      // Also of a redirect: a client that followed it would have failed elsewhere.
      expect(failure.message).to.contain(String(status))
    }
  })

  it('backs off when nothing answers, or not in time', async () => {
    nock(host)
      .get(path)
      .replyWithError(Object.assign(new Error('secret.example.com'), { code: 'ECONNREFUSED' }))
    expect(await failureOf()).to.deep.include({ retry: 'backoff', counts: true })
    nock(host).get(path).delayConnection(5_000).reply(200, appointment)
    const late = await failureOf({ options: { timeoutMs: 20 } })
    expect(late).to.deep.include({ retry: 'backoff', counts: true })
    expect(late.message).to.contain('20 ms')
  })

  it('stops when its lane is lost', async () => {
    nock(host).get(path).delayConnection(5_000).reply(200, appointment)
    const lost = new AbortController()
    const asking = ask({ signal: lost.signal })
    setTimeout(() => lost.abort(new Error('lost')), 20)
    expect(await asking.catch((error: unknown) => (error as Error).message)).to.equal('lost')
  })

  it('obeys Retry-After at 429, holds every account back, and counts nothing', async () => {
    const adapter = acuity({
      ...credentials,
      apiKey: { default: 'test-key-1', other: 'k' },
      userId: { default: '1000001', other: '2' },
    })
    nock(host).get(path).reply(429, {}, { 'retry-after': '7' })
    expect(await failureOf(from(adapter))).to.deep.include({
      retry: 7_000,
      counts: false,
      pauseAccountMs: 7_000,
    })
    // No request is mocked: one that went out would fail in another way.
    const held = await failureOf(from(adapter, { reading: stored(poke('changed'), { account: 'other' }) }))
    expect(held.pauseAccountMs).to.be.within(6_000, 7_000)
    expect(held.counts).to.equal(false)
  })

  it('backs off by itself at a 429 that does not say, and never for longer than an hour', async () => {
    nock(host).get(path).reply(429)
    expect((await failureOf()).retry).to.be.within(1_000, 2_000)
    nock(host).get(path).reply(429, {}, { 'retry-after': '999999' })
    expect((await failureOf()).retry).to.equal(3_600_000)
    nock(host).get(path).reply(429, {}, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })
    expect((await failureOf()).retry).to.equal(1_000)
  })

  describe('a cancel that the API does not show yet', () => {
    const answers = (canceled: boolean) =>
      nock(host)
        .get(path)
        .reply(200, { ...appointment, canceled })

    it('is asked for again after 2 s, 15 s and 60 s, then counts as it is', async () => {
      const reading = stored(poke('canceled'))
      for (const before of [0, 3]) {
        let failed: FetchContext['failed'] = {
          reason: 'Acuity answered 503 where 200 was expected.',
          times: 3,
        }
        for (const [times, retry] of [
          [1, 2_000],
          [2, 15_000],
          [3, 60_000],
        ] as const) {
          answers(false)
          const failure = await failureOf({ reading, attempt: before + times, failed })
          expect(failure).to.deep.include({ retry, counts: true })
          failed = { reason: failure.message, times }
        }
        answers(false)
        expect(await ask({ reading, attempt: before + 4, failed })).to.include({ canceled: false })
      }
    })

    it('is seen too where the cancel waits behind another poke', async () => {
      const reading = stored(poke('changed'))
      answers(false)
      const serves = [reading, stored(poke('appointment.canceled'))]
      expect(await failureOf({ reading, serves })).to.deep.include({ retry: 2_000 })
    })

    it('is none where the API shows it, or nobody spoke of a cancel', async () => {
      answers(true)
      await ask({ reading: stored(poke('canceled')) })
      answers(false)
      await ask({ reading: stored(poke('rescheduled')) })
    })
  })

  it('makes no more calls in a second than it may', async () => {
    nock(host).get(path).times(5).reply(200, appointment)
    const adapter = acuity({ ...credentials, requestsPerSecond: 20 })
    const started = performance.now()
    await Promise.all([1, 2, 3, 4, 5].map(() => from(adapter)))
    expect(performance.now() - started).to.be.at.least(190)
  })
})
