import { bookingWebhooks } from '@booking-webhooks/core/node'
import { expect } from 'chai'
import { ground } from './support/ground.js'
import { listen } from './support/listen.js'
import { post } from './support/post.js'

describe('headers that a platform made up', () => {
  it('are understood in any case, as lists and with gaps; what is no header is left out', async () => {
    const bench = ground()
    let received = new Headers()
    const webhooks = bookingWebhooks({
      ...bench.inbox,
      async receive(_provider, { headers }) {
        received = headers
        return { status: 200, headers: {}, body: '' }
      },
    })
    const madeUp = {
      'Calendly-Webhook-Signature': 't=1,v1=2',
      'X-Forwarded-For': ['192.0.2.1', '192.0.2.2'],
      'x-gone': undefined,
      ':path': '/calendly',
      'x-broken': 'a\nb',
    }
    const server = await listen((request, response) => {
      Object.defineProperty(request, 'headers', { value: madeUp })
      webhooks(request, response)
    })
    await post(server.port, '/calendly', {})
    await server.close()
    await webhooks.close()
    expect(Object.fromEntries(received)).to.deep.equal({
      'calendly-webhook-signature': 't=1,v1=2',
      'x-forwarded-for': '192.0.2.1, 192.0.2.2',
    })
  })
})
