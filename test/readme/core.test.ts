import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { exampleOf } from './example.js'

describe('the example in the README of core', () => {
  it('answers a Request that is signed, and no other', async () => {
    const key = 'the-key-of-the-readme'
    const { POST, webhooks } = await exampleOf('packages/core/README.md', {
      CALENDLY_SIGNING_KEY: key,
      DATABASE_URL: ':memory:',
    })
    try {
      const { headers, body, method } = calendlyDelivery({ key, event: 'invitee.created' })
      const answered = async (path: string, sent: object) =>
        (await POST(new Request(`https://hooks.example.com${path}`, { method, body, ...sent }))).status
      expect(await answered('/webhooks/calendly', { headers })).to.equal(200)
      expect(await answered('/webhooks/calendly', {})).to.equal(401)
      expect(await answered('/elsewhere', { headers })).to.equal(404)
      expect((await webhooks.inbox.events()).rows).to.have.length(1)
    } finally {
      await webhooks.close()
    }
  })
})
