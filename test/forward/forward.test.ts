import type { BookingEvent, TellContext } from '@booking-webhooks/core'
import { isBookingWebhooksError, tellFailure } from '@booking-webhooks/core'
import { forward } from '@booking-webhooks/forward'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { type Answer, listen, reset, silence, status, type Target } from './target.js'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const event: BookingEvent = {
  id: 'evt_0123456789abcdef0123456789abcdef',
  type: 'provider.routing_form_submission.created',
  provider: 'calendly',
  account: 'default',
  providerType: 'routing_form_submission.created',
  occurredAt: '2026-10-12T14:59:58.678000Z',
  occurredAtSource: 'provider',
  receivedAt: '2026-10-12T15:00:00.000000Z',
  previousThreadId: null,
  booking: null,
  previous: null,
  cancellation: null,
  conflict: null,
  raw: { name: 'Zoë \u2028 Example', emptied: '\ud800' },
}

function context(given: Partial<TellContext> = {}): TellContext {
  const quiet = () => {}
  return {
    attempt: 1,
    replay: false,
    now: null,
    signal: new AbortController().signal,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    once: async (_name, step) => await step(),
    ...given,
  }
}

describe('forward()', () => {
  let target: Target
  afterEach(() => target?.close())

  async function tellAll(answers: Answer[], options: { timeoutMs?: number } = {}): Promise<unknown[]> {
    target = await listen(...answers)
    const subscriber = forward({ url: `${target.url}/hook?token=s3cr3t`, secret, ...options })
    const outcomes: unknown[] = []
    for (const attempt of answers.keys())
      outcomes.push(
        await Promise.resolve(subscriber.tell(event, context({ attempt: attempt + 1 }))).then(
          () => 'done',
          error => error,
        ),
      )
    return outcomes
  }

  it('posts the whole event with its attempt, so that a Standard Webhooks receiver verifies it', async () => {
    expect(await tellAll([status(204)])).to.deep.equal(['done'])
    const [{ headers, body }] = target.received
    expect(headers).to.include({ 'content-type': 'application/json', 'webhook-id': event.id })
    const verified = new Webhook(secret).verify(body, headers)
    expect(verified).to.deep.equal({ ...event, attempt: 1, replay: false })
  })

  it('shows the booking as it is today on a replay', async () => {
    target = await listen(status(200))
    await forward({ url: target.url, secret }).tell(event, context({ replay: true, now: null }))
    expect(JSON.parse(target.received[0].body)).to.deep.include({ replay: true, now: null })
  })

  it('keeps the id and signs afresh on every attempt', async () => {
    target = await listen(status(500), status(200))
    const subscriber = forward({ url: target.url, secret })
    const first = Promise.resolve(subscriber.tell(event, context())).catch(error => error)
    expect(isBookingWebhooksError(await first, 'FORWARD_REFUSED')).to.equal(true)
    await new Promise(resolve => setTimeout(resolve, 1_001))
    await subscriber.tell(event, context({ attempt: 2 }))

    const [one, two] = target.received
    expect(two.headers['webhook-id']).to.equal(one.headers['webhook-id'])
    expect(Number(two.headers['webhook-timestamp'])).to.be.greaterThan(
      Number(one.headers['webhook-timestamp']),
    )
    expect(new Webhook(secret).verify(two.body, two.headers)).to.include({ attempt: 2 })
  })

  it('takes every type, also conflicts and what is about no booking, unless told otherwise', () => {
    expect(forward({ url: 'https://example.com', secret }).takes).to.deep.equal(['*'])
    expect(forward({ url: 'https://example.com', secret, takes: ['provider.*'] }).takes).to.deep.equal([
      'provider.*',
    ])
  })

  it('takes nothing but a 2xx for an answer: 500, silence, a reset, 302, 429 and then 200', async () => {
    const elsewhere = await listen(status(200))
    const outcomes = await tellAll(
      [
        status(500, {}, 'a secret stack trace'),
        silence,
        reset,
        status(302, { location: elsewhere.url }),
        status(429, { 'retry-after': '7' }),
        status(200),
      ],
      { timeoutMs: 200 },
    )
    await elsewhere.close()
    expect(outcomes.map(outcome => (outcome as { code?: string }).code ?? outcome)).to.deep.equal([
      'FORWARD_REFUSED',
      'TIMED_OUT',
      'FORWARD_UNREACHABLE',
      'FORWARD_REFUSED',
      'FORWARD_REFUSED',
      'done',
    ])
    expect(outcomes.slice(0, 5).map(tellFailure)).to.deep.equal([
      { retry: 'backoff' },
      { retry: 'backoff' },
      { retry: 'backoff' },
      { retry: 'backoff' },
      { retry: 7_000 },
    ])
    expect(elsewhere.received, 'a redirect was followed').to.deep.equal([])

    for (const error of outcomes.slice(0, 5)) {
      const text = `${error} ${JSON.stringify(error)} ${(error as Error).stack}`
      expect(text).not.to.match(/s3cr3t|stack trace|Zoë|whsec_/)
      expect(text).to.contain('127.0.0.1')
    }
  })

  for (const [code, retry] of [
    [400, 'backoff'],
    [401, 'backoff'],
    [404, 'backoff'],
    [408, 'backoff'],
    [422, 'backoff'],
    [410, 'never'],
  ] as const)
    it(`answers a ${code} with ${retry}`, async () => {
      const [error] = await tellAll([status(code)])
      expect(tellFailure(error)).to.deep.equal({ retry })
    })

  it('obeys Retry-After as a date, and for no longer than a day', async () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString()
    const errors = await tellAll([
      status(503, { 'retry-after': inAMinute }),
      status(503, { 'retry-after': '31536000' }),
      status(503, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
      status(503, { 'retry-after': 'soon' }),
    ])
    const [date, year, past, nonsense] = errors.map(error => tellFailure(error).retry)
    expect(date).to.be.within(55_000, 60_000)
    expect([year, past, nonsense]).to.deep.equal([86_400_000, 0, 'backoff'])
  })

  it('stops at once when its run is aborted', async () => {
    target = await listen(silence)
    const controller = new AbortController()
    const told = forward({ url: target.url, secret }).tell(event, context({ signal: controller.signal }))
    setTimeout(() => controller.abort(new Error('lease lost')), 50)
    const error = await Promise.resolve(told).catch(error => error)
    expect(error).to.have.property('message', 'lease lost')
  })

  it('hangs up on a target that answers for ever', async () => {
    let hungUp: () => void
    const closed = new Promise<void>(resolve => {
      hungUp = resolve
    })
    const endless: Answer = response => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'.repeat(16_384)), 1)
      response.on('close', () => {
        clearInterval(timer)
        hungUp()
      })
    }
    expect(await tellAll([endless], { timeoutMs: 5_000 })).to.deep.equal(['done'])
    await closed
  }).timeout(2_000)

  it('says done for a 2xx whose body breaks off', async () => {
    const broken: Answer = (response, request) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => setTimeout(() => request.socket.resetAndDestroy(), 20))
    }
    expect(await tellAll([broken])).to.deep.equal(['done'])
  })
})

describe('forward() refuses at creation', () => {
  for (const [title, options] of [
    ['no secret', { secret: undefined }],
    ['a secret without whsec_', { secret: Buffer.alloc(32).toString('base64') }],
    ['a secret that is no base64', { secret: 'whsec_not base64!' }],
    ['a secret of base64url', { secret: 'whsec_-_-_' }],
    ['a secret without padding', { secret: 'whsec_QUI' }],
    ['a secret of nothing', { secret: 'whsec_' }],
    ['a secret with a line break', { secret: `${secret}\n` }],
    ['no URL', { url: undefined }],
    ['a URL that is a path', { url: '/hook' }],
    ['a URL of another scheme', { url: 'ftp://example.com' }],
    ['a URL with a password', { url: 'https://me:hunter2@example.com' }],
    ['no time', { timeoutMs: 0 }],
    ['a time that is no number', { timeoutMs: Number.NaN }],
    ['a time that no timer holds', { timeoutMs: 2 ** 31 }],
  ] as const)
    it(title, () => {
      const make = () => forward({ url: 'https://example.com', secret, ...options })
      expect(make).to.throw().with.property('code', 'INVALID_OPTION')
      expect(make).not.to.throw(/hunter2|QUI|not base64!/)
    })
})
