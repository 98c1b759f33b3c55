import type { RequestListener } from 'node:http'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { listen } from '../http/support/listen.js'
import { post } from '../http/support/post.js'
import { exampleOf } from './example.js'

const key = 'the-key-of-the-readme'

describe('the example in the README of', () => {
  after(() => process.removeAllListeners('SIGTERM'))

  for (const name of ['express', 'koa', 'booking-webhooks'])
    it(`${name} receives a signed booking, and leaves the rest to the app`, async () => {
      const { app, webhooks } = await exampleOf(`packages/${name}/README.md`, {
        CALENDLY_SIGNING_KEY: key,
        DATABASE_URL: ':memory:',
      })
      const server = await listen((typeof app === 'function' ? app : app.callback()) as RequestListener)
      try {
        const { body, headers } = calendlyDelivery({ key, event: 'invitee.created' })
        expect((await post(server.port, '/webhooks/calendly', { body, headers })).status).to.equal(200)
        expect((await post(server.port, '/webhooks/calendly', { body })).status).to.equal(401)
        expect((await post(server.port, '/other', { body, headers })).status).to.equal(404)
        expect((await webhooks.inbox.events()).rows).to.have.length(1)
      } finally {
        await server.close()
        await webhooks.close()
      }
    })
})
