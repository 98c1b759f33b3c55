import { bookingWebhooks, type FetchWebhooks } from '@booking-webhooks/core/fetch'
import { expect } from 'chai'
import { Hono } from 'hono'
import type { Workbench } from '../support/workbench.js'
import { body, ground, sign } from './support/ground.js'

describe('a fetch handler', () => {
  let bench: Workbench
  let webhooks: FetchWebhooks
  beforeEach(() => {
    bench = ground({ bodyTimeoutMs: 50 })
    webhooks = bookingWebhooks(bench.inbox)
  })
  afterEach(() => bench.close())

  const request = (given: RequestInit = {}, path = '/calendly') =>
    new Request(`https://hooks.example.com${path}`, {
      method: 'POST',
      body: body(),
      headers: sign(body()),
      ...given,
    })
  const logged = (code: string) => bench.lines.find(line => line.code === code)

  it('answers a Request that no server made', async () => {
    expect((await webhooks(request())).status).to.equal(200)
    expect((await webhooks(request({}, '/elsewhere'))).status).to.equal(404)
    expect((await webhooks(request({ body: null }))).status).to.equal(401)
  })

  it('is mounted by a framework that strips its path', async () => {
    const app = new Hono().mount('/api/webhooks', webhooks)
    expect((await app.fetch(request({}, '/api/webhooks/calendly'))).status).to.equal(200)
    expect((await app.fetch(request({}, '/api/webhooks'))).status).to.equal(200)
    expect((await app.fetch(request({}, '/calendly'))).status).to.equal(404)
  })

  it('says so at once where someone has read the body', async () => {
    const read = request()
    await read.json()
    expect((await webhooks(read)).status).to.equal(500)
    expect(logged('BODY_ALREADY_PARSED')).to.include({ level: 'error', provider: 'calendly' })
  })

  it('stores nothing of a body that breaks off', async () => {
    const broken = new ReadableStream({
      pull(controller) {
        controller.enqueue(body().subarray(0, 10))
        controller.error(new Error('gone'))
      },
    })
    expect((await webhooks(request({ body: broken, duplex: 'half' }))).status).to.equal(408)
    expect(logged('BODY_CUT_OFF')).to.include({ level: 'warn' })
    expect((await bench.inbox.events()).rows).to.deep.equal([])
  })

  it('does not wait for a body that never ends', async () => {
    const silent = new ReadableStream({ pull: () => new Promise(() => {}) })
    expect((await webhooks(request({ body: silent, duplex: 'half' }))).status).to.equal(408)
  })
})
