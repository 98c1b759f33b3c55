import { bookingWebhooks as fetchWebhooks } from '@booking-webhooks/core/fetch'
import { bookingWebhooks as nodeWebhooks } from '@booking-webhooks/core/node'
import { bookingWebhooks as expressWebhooks } from '@booking-webhooks/express'
import { bookingWebhooks as koaWebhooks } from '@booking-webhooks/koa'
import { expect } from 'chai'
import { ground } from './support/ground.js'
import { listen } from './support/listen.js'
import { post } from './support/post.js'

describe('options of a door', () => {
  for (const bookingWebhooks of [fetchWebhooks, nodeWebhooks, expressWebhooks, koaWebhooks])
    it('that are missing are an error at creation', () => {
      expect(() => bookingWebhooks(undefined as never))
        .to.throw('bookingWebhooks() needs { providers, store }')
        .with.property('code', 'INVALID_OPTION')
      expect(() => bookingWebhooks({} as never))
        .to.throw('providers')
        .with.property('code', 'INVALID_OPTION')
    })

  for (const [name, value] of [
    ['maxBodyBytes', 0],
    ['maxBodyBytes', 1.5],
    ['maxBodyBytes', Number.POSITIVE_INFINITY],
    ['maxBodyBytes', '1mb'],
    ['maxBodyBytes', 4 * 1024 * 1024 + 1],
    ['bodyTimeoutMs', 0],
    ['bodyTimeoutMs', Number.NaN],
    ['bodyTimeoutMs', Number.POSITIVE_INFINITY],
    ['concurrency', 0],
    ['concurrency', 2.5],
    ['concurrency', Number.NaN],
    ['pollMs', 0],
    ['pollMs', Number.POSITIVE_INFINITY],
    ['leaseMs', 0],
  ] as const)
    it(`that cannot work are an error at creation: ${name} ${value}`, () => {
      expect(() => ground({ [name]: value }))
        .to.throw(name)
        .with.property('code', 'INVALID_OPTION')
    })
})

describe('a reply that HTTP cannot carry', () => {
  it('is 500, and not the end of the process', async () => {
    const bench = ground()
    const webhooks = nodeWebhooks({
      ...bench.inbox,
      receive: async () => ({ status: 200, headers: { 'x-broken': 'a\nb' }, body: '' }),
    })
    const server = await listen(webhooks)
    expect((await post(server.port, '/calendly', {})).status).to.equal(500)
    await server.close()
    await webhooks.close()
  })
})
