import { BookingWebhooksError, type Inbox } from '@booking-webhooks/core'
import { bookingWebhooks, type FetchWebhooks } from '@booking-webhooks/core/fetch'
import { expect } from 'chai'
import type { Workbench } from '../support/workbench.js'
import { body, ground, sign } from './support/ground.js'

const delivery = () =>
  new Request('http://localhost/calendly', { method: 'POST', body: body(), headers: sign(body()) })

describe('an inbox behind a door', () => {
  let bench: Workbench
  let webhooks: FetchWebhooks
  const mount = (change: (inbox: Inbox) => Partial<Inbox> = () => ({})) => {
    bench = ground()
    webhooks = bookingWebhooks({ ...bench.inbox, ...change(bench.inbox) })
  }
  afterEach(() => webhooks.close())

  it('is started at once, without a request', () => {
    let starts = 0
    mount(({ start }) => ({
      start() {
        starts += 1
        return start()
      },
    }))
    expect(starts).to.equal(1)
  })

  it('is waited for while it starts', async () => {
    mount(({ start }) => ({ start: () => new Promise<void>(wake => setTimeout(wake, 100)).then(start) }))
    const answers = await Promise.all(Array.from({ length: 20 }, () => webhooks(delivery())))
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(20).fill(200))
  })

  it('that cannot start says why, without what the error quotes, and receives once it can', async () => {
    const failures = [
      new BookingWebhooksError('SCHEMA_OUTDATED', 'The schema is outdated. Run booking-webhooks migrate.'),
      new Error('connect postgres://user:password@db.example.com'),
    ]
    mount(({ start }) => ({
      async start() {
        const failure = failures.shift()
        if (failure) throw failure
        return start()
      },
    }))
    expect((await webhooks(delivery())).status).to.equal(503)
    expect((await webhooks(delivery())).status).to.equal(200)
    expect(bench.lines).to.deep.include({
      level: 'error',
      message: 'not started',
      reason: 'The schema is outdated. Run booking-webhooks migrate.',
    })
    expect(bench.lines).to.deep.include({
      level: 'error',
      message: 'not received',
      provider: 'calendly',
      account: 'default',
      code: 'STORE_UNAVAILABLE',
      status: 503,
      reason: 'The inbox is not started. Error',
    })
  })

  it('answers 404 and 405 like any other while it is not started', async () => {
    mount(() => ({ start: () => Promise.reject(new Error('down')) }))
    const status = async (path: string, method: string) =>
      (await webhooks(new Request(`http://localhost${path}`, { method }))).status
    expect(await status('/other', 'POST')).to.equal(404)
    expect(await status('/calendly', 'GET')).to.equal(405)
    expect(await status('/calendly', 'POST')).to.equal(503)
  })

  it('answers 503 once it is closed', async () => {
    mount()
    expect((await webhooks(delivery())).status).to.equal(200)
    await webhooks.close()
    expect((await webhooks(delivery())).status).to.equal(503)
  })

  it('stamps arrivals with its own clock', async () => {
    const at = new Date(Date.now() - 60_000)
    bench = ground({ now: () => at })
    webhooks = bookingWebhooks(bench.inbox)
    expect((await webhooks(delivery())).status).to.equal(200)
    const { rows } = await bench.inbox.events()
    expect(new Date(rows[0]!.receivedAt).getTime()).to.equal(at.getTime())
  })
})
