import { calendly } from '@booking-webhooks/calendly'
import express, { type Express } from 'express'
import { signingKey } from './signing-key.js'

/** The adapter's verification and reading, then the answer: what an app can do where storing costs nothing. */
export function ceiling(): Express {
  const adapter = calendly({ signingKey })
  const app = express()
  app.post('/webhooks/calendly', express.raw({ type: '*/*' }), async (request, response) => {
    const body = request.body as Buffer // express.raw() made it.
    const signature = request.header('calendly-webhook-signature') ?? ''
    const delivery = {
      method: request.method,
      publicUrl: null,
      headers: new Headers({ 'calendly-webhook-signature': signature }),
      body,
      receivedAt: new Date(),
      account: 'default',
    }
    await adapter.verify(delivery, { keys: [signingKey], now: delivery.receivedAt })
    adapter.read(delivery, { hash: text => text })
    response.sendStatus(200)
  })
  return app
}
