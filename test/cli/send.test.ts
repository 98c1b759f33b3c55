import { acuity } from '@booking-webhooks/acuity'
import { calcom } from '@booking-webhooks/calcom'
import { calendly } from '@booking-webhooks/calendly'
import { expect } from 'chai'
import { listen, reset, status, type Target } from '../forward/target.js'
import { received } from '../support/received.js'
import { runHere } from './run-here.js'

const key = 'a-signing-key-for-tests'
const environment = { CALENDLY_SIGNING_KEY: ` ${key} , an-older-key-of-theirs` }

describe('booking-webhooks send', () => {
  let target: Target
  afterEach(() => target.close())

  async function send(args: string[], ...answers: Parameters<typeof listen>) {
    target = await listen(...(answers.length ? answers : [status(200)]))
    const { code, stdout, stderr } = await runHere(
      ['send', `${target.url}/hooks`, ...args, '--json'],
      environment,
    )
    const rows = stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
    return { code, rows, stderr }
  }

  it('sends what the provider would send, signed with the first key', async () => {
    const { code, rows } = await send([])
    expect(code).to.equal(0)
    expect(rows).to.have.length(1)
    expect(rows[0]).to.include({ provider: 'calendly', story: 'book', status: 200, ok: true, error: null })
    const [request] = target.received
    expect(request.url).to.equal('/hooks/calendly')
    const verified = await calendly({ signingKey: key }).verify(received(request), {
      keys: [key],
      now: new Date(),
    })
    expect(verified.keyIndex).to.equal(0)
  })

  for (const [provider, variable, adapter, count] of [
    ['calcom', 'CALCOM_WEBHOOK_SECRET', calcom({ secret: key }), 2],
    ['acuity', 'ACUITY_API_KEY', acuity({ apiKey: key }), 3],
  ] as const)
    it(`sends what ${provider} would send, signed with ${variable}`, async () => {
      target = await listen(status(200))
      const args = ['send', target.url, '--provider', provider, '--story', 'reschedule']
      const { code } = await runHere(args, { [variable]: key })
      expect([code, target.received.length]).to.deep.equal([0, count])
      for (const request of target.received) {
        const verified = await adapter.verify(received(request), { keys: [key], now: new Date() })
        expect([request.url, verified.keyIndex]).to.deep.equal([`/${provider}`, 0])
      }
    })

  it('keeps a URL that names the provider, and its account', async () => {
    target = await listen(status(200))
    await runHere(['send', `${target.url}/webhooks/calendly/acme`], environment)
    expect(target.received[0].url).to.equal('/webhooks/calendly/acme')
  })

  it('tells a story in its order, each time with ids of its own', async () => {
    const { rows } = await send(['--story', 'reschedule', '--count', '4', '--concurrency', '3'])
    expect(rows).to.have.length(12)
    const bodies = target.received.map(({ body }) => JSON.parse(body))
    const booked = bodies.filter(
      ({ payload }) => payload.old_invitee === null && payload.new_invitee === null,
    )
    expect(new Set(booked.map(({ payload }) => payload.uri)).size).to.equal(4)
    for (const { payload } of booked) {
      const story = bodies.filter(body => JSON.stringify(body).includes(payload.uri))
      expect(story.map(({ event }) => event)).to.deep.equal([
        'invitee.created',
        'invitee.canceled',
        'invitee.created',
      ])
    }
  })

  it('exits 1 where any answer was not 2xx, and says which', async () => {
    const { code, rows } = await send(
      ['--count', '3'],
      status(200),
      status(302, { location: '/' }),
      status(503),
    )
    expect(code).to.equal(1)
    expect(rows.map(({ status, ok }) => [status, ok])).to.deep.equal([
      [200, true],
      [302, false],
      [503, false],
    ])
  })

  it('exits 1 where there was no answer', async () => {
    const { code, rows } = await send([], reset)
    expect([code, rows[0].status, rows[0].error]).to.deep.equal([1, null, 'ECONNRESET'])
  })

  it('says it to a person in a table', async () => {
    target = await listen(status(200), status(401))
    const { stdout } = await runHere(['send', target.url, '--story', 'cancel'], environment)
    expect(stdout).to.match(/^what happens +answer +took\nAnn books +200 .*\nAnn cancels +401 /)
    expect(stdout).to.contain('2 deliveries: 1 × 200, 1 × 401')
  })

  for (const [title, args, variables, said] of [
    ['no key', [], {}, '--key'],
    ['an unknown story', ['--story', 'divorce'], environment, 'reschedule'],
    ['an unknown provider', ['--provider', 'doodle'], environment, 'calendly'],
    ['no times', ['--count', '0'], environment, '--count'],
  ] as const)
    it(`is used wrongly with ${title}`, async () => {
      target = await listen(status(200))
      const { code, stderr } = await runHere(['send', target.url, ...args], variables)
      expect(code).to.equal(2)
      expect(stderr).to.contain(said)
      expect(target.received).to.deep.equal([])
    })

  it('is used wrongly with what is no URL', async () => {
    target = await listen(status(200))
    expect((await runHere(['send', '/webhooks'], environment)).code).to.equal(2)
  })
})
