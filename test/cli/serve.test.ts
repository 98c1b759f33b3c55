import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { acuityDelivery, sampleAppointment, startFakeAcuity } from '@booking-webhooks/acuity/testing'
import { calcomDelivery } from '@booking-webhooks/calcom/testing'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import type { EventRow } from '@booking-webhooks/core'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { type Answer, listen, reset, silence, status, type Target } from '../forward/target.js'
import { runHere } from './run-here.js'
import { type Serving, serving, until } from './serving.js'

const key = 'a-signing-key-for-tests'
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

describe('booking-webhooks serve', function () {
  this.timeout(60_000)
  let directory: string
  let environment: Record<string, string>
  const running: Serving[] = []
  const targets: Target[] = []

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-serve-'))
    environment = {
      DATABASE_URL: join(directory, 'test.db'),
      CALENDLY_SIGNING_KEY: key,
      FORWARD_SECRET: secret,
    }
  })
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop('SIGKILL')
    for (const target of targets.splice(0)) await target.close()
    rmSync(directory, { recursive: true, force: true })
  })

  async function serve(...args: string[]): Promise<Serving> {
    const server = await serving(args, { environment, cwd: directory })
    running.push(server)
    return server
  }

  async function target(...answers: Answer[]): Promise<Target> {
    const listening = await listen(...answers)
    targets.push(listening)
    return listening
  }

  async function book(url: string): Promise<number> {
    const { path, ...delivery } = calendlyDelivery({ key, event: 'invitee.created' })
    return (await fetch(`${url}/webhooks${path}`, delivery)).status
  }

  async function events(): Promise<EventRow[]> {
    const { stdout } = await runHere(['events', '--json'], environment)
    return stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  }

  it('tells a target again until it takes the event: after a 500, silence, a reset, a redirect and a 429', async () => {
    const answers = [
      status(500),
      silence,
      reset,
      status(302, { location: '/' }),
      status(429, { 'retry-after': '1' }),
    ]
    const crm = await target(...answers, status(204))
    const fast = ['--backoff-base', '10ms', '--backoff-cap', '20ms', '--timeout', '2s']
    const server = await serve('--forward-to', crm.url, ...fast)

    expect(await book(server.url)).to.equal(200)
    await until(() => (crm.received.length === 6 ? true : null))
    const row = await until(async () => (await events()).find(({ status }) => status === 'done') ?? null)

    expect(row).to.include({ type: 'booking.created', outcome: 'accepted', deliveries: 1 })
    expect(row.tells).to.deep.equal([
      { subscriber: 'forward', status: 'done', attempts: 6, lastError: row.tells[0].lastError },
    ])
    const posted = crm.received.map(({ body, headers }) => ({
      id: headers['webhook-id'],
      ...(new Webhook(secret).verify(body, headers) as { type: string; attempt: number; replay: boolean }),
    }))
    expect(posted.map(({ id, type, attempt, replay }) => [id, type, attempt, replay])).to.deep.equal(
      [1, 2, 3, 4, 5, 6].map(attempt => [row.id, 'booking.created', attempt, false]),
    )
    const [waited] = crm.received.slice(-1).map(({ atMs }) => atMs - crm.received[4].atMs)
    expect(waited).to.be.at.least(1_000)
    const reasons = server.log().flatMap(line => (line.message === 'attempt failed' ? line.reason : []))
    const { host } = new URL(crm.url)
    expect(
      reasons.map(reason => String(reason).replaceAll(host, 'HOST').replace('UND_ERR_SOCKET', 'ECONNRESET')),
    ).to.deep.equal([
      'HOST answered 500.',
      'HOST did not answer within 2000 ms.',
      'HOST broke the connection off before it answered (ECONNRESET).',
      'HOST answered 302 (a redirect, which is never followed). Set forward({ url }) to the final address.',
      'HOST answered 429.',
    ])
    const expected = ['attempt failed', 'alert', 'told', 'recovered']
    const said = () => server.log().map(({ message }) => message)
    await until(() => (expected.every(message => said().includes(message)) ? true : null))
  })

  it('answers health checks, and 404 and 405 as providers expect', async () => {
    const { url } = await serve('--path', '/hooks')
    const statusOf = async (path: string, method = 'GET') => (await fetch(`${url}${path}`, { method })).status
    expect(await (await fetch(`${url}/healthz?deep=1`)).json()).to.deep.equal({ status: 'ok' })
    expect(await statusOf('/healthz', 'HEAD')).to.equal(200)
    expect(await statusOf('/healthz', 'POST')).to.equal(404)
    expect(await statusOf('/hooks/calendly')).to.equal(405)
    expect(await statusOf('/hooks/doodle', 'POST')).to.equal(404)
    expect(await statusOf('/webhooks/calendly', 'POST')).to.equal(404)
  })

  it('finishes what runs when it is asked to stop, and exits 0', async () => {
    const slow: Answer = response => setTimeout(() => response.writeHead(204).end(), 700)
    const crm = await target(slow)
    const server = await serve('--forward-to', crm.url)
    await book(server.url)
    await until(() => (crm.received.length === 1 ? true : null))
    expect(await server.stop()).to.equal(0)
    expect((await events())[0].tells[0]).to.include({ status: 'done', attempts: 1 })
  })

  it('connects Cal.com and Acuity, and asks Acuity where ACUITY_API_URL says', async () => {
    const fake = await startFakeAcuity()
    Object.assign(environment, {
      CALCOM_WEBHOOK_SECRET: key,
      ACUITY_API_KEY: key,
      ACUITY_USER_ID: '1000001',
      ACUITY_API_URL: fake.url,
    })
    try {
      const { url } = await serve()
      // Older appointments are not told as created.
      const datetimeCreated = new Date().toISOString()
      const appointment = fake.put(sampleAppointment({ id: 510200301, datetimeCreated }))
      for (const { path, ...delivery } of [
        calcomDelivery({ key, trigger: 'BOOKING_CREATED' }),
        acuityDelivery({ key, action: 'scheduled', appointment }),
      ])
        expect((await fetch(`${url}/webhooks${path}`, delivery)).status).to.equal(200)
      const rows = await until(async () => {
        const all = await events()
        return all.length === 2 && all.every(({ outcome }) => outcome !== null) ? all : null
      })
      expect(rows.map(({ provider, type }) => `${provider} ${type}`)).to.have.members([
        'calcom booking.created',
        'acuity booking.created',
      ])
    } finally {
      await fake.close()
    }
  })

  it('receives in one process and works in another', async () => {
    const crm = await target(status(204))
    const receiver = await serve('--no-dispatch')
    await book(receiver.url)
    expect((await events())[0]).to.include({ status: 'pending', outcome: null })

    const worker = await serve('--no-receive', '--forward-to', crm.url)
    await until(() => (crm.received.length === 1 ? true : null))
    expect((await fetch(`${worker.url}/webhooks/calendly`, { method: 'POST' })).status).to.equal(404)
    expect((await fetch(`${worker.url}/healthz`)).status).to.equal(200)
    expect(await book(worker.url)).to.equal(404)
  })

  it('makes a dead letter of what no attempt could tell', async () => {
    const crm = await target(status(500))
    const server = await serve('--forward-to', crm.url, '--attempts', '2', '--backoff-base', '1ms')
    await book(server.url)
    const row = await until(async () => (await events()).find(({ status }) => status === 'dead') ?? null)
    expect(row.tells[0]).to.deep.equal({
      subscriber: 'forward',
      status: 'dead',
      attempts: 2,
      lastError: row.tells[0].lastError,
    })
    expect(row.tells[0].lastError).to.match(/127\.0\.0\.1:\d+ answered 500/)
  })
})

describe('booking-webhooks serve refuses to start', () => {
  const good = { CALENDLY_SIGNING_KEY: key, DATABASE_URL: ':memory:' }
  for (const [title, args, environment, said] of [
    ['without a provider', [], { DATABASE_URL: ':memory:' }, 'CALENDLY_SIGNING_KEY'],
    ['with an empty key', [], { ...good, CALENDLY_SIGNING_KEY: '' }, 'CALENDLY_SIGNING_KEY'],
    ['with a port that is none', ['--port', 'http'], good, '--port'],
    ['with a flag that is none', ['--prot', '1'], good, '--prot'],
    ['with a duration without a unit', ['--timeout', '5'], good, '500ms'],
    ['when it should do nothing', ['--no-receive', '--no-dispatch'], good, '--no-dispatch'],
    ['with a target and no secret', ['--forward-to', 'https://example.com'], good, 'FORWARD_SECRET'],
    [
      'in production on a default file',
      [],
      { CALENDLY_SIGNING_KEY: key, NODE_ENV: 'production' },
      'DATABASE_URL',
    ],
  ] as const)
    it(title, async () => {
      const { code, stdout, stderr } = await runHere(['serve', '--port', '0', ...args], environment)
      expect([code, stdout]).to.deep.equal([2, ''])
      expect(stderr).to.contain(said)
    })

  it('with a PORT that is none', async () => {
    const { code, stderr } = await runHere(['serve'], { ...good, PORT: 'http' })
    expect(code).to.equal(2)
    expect(stderr).to.contain('PORT must be a number')
  })

  it('on a port that is taken', async () => {
    const other = await listen(status(200))
    const { code, stderr } = await runHere(['serve', '--port', new URL(other.url).port], good)
    await other.close()
    expect(code).to.equal(1)
    expect(stderr).to.contain('is taken')
  })
})
