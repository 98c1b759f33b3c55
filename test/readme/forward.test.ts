import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { listen as listenAsTarget, status } from '../forward/target.js'
import { listen } from '../http/support/listen.js'
import { post } from '../http/support/post.js'
import { exampleOf } from './example.js'

describe('the example in the README of forward', () => {
  it('posts a booking, signed, to the URL', async () => {
    const key = 'the-key-of-the-readme'
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const target = await listenAsTarget(status(204))
    const { app, webhooks } = await exampleOf('packages/forward/README.md', {
      CALENDLY_SIGNING_KEY: key,
      DATABASE_URL: ':memory:',
      FORWARD_URL: target.url,
      FORWARD_SECRET: secret,
    })
    const server = await listen(app)
    try {
      const { body, headers } = calendlyDelivery({ key, event: 'invitee.created' })
      expect((await post(server.port, '/webhooks/calendly', { body, headers })).status).to.equal(200)
      await webhooks.inbox.drain()
      const [posted] = target.received
      expect(new Webhook(secret).verify(posted!.body, posted!.headers)).to.include({
        type: 'booking.created',
      })
    } finally {
      await server.close()
      await webhooks.close()
      await target.close()
    }
  })
})
