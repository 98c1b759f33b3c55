import { frameworkContract } from '@booking-webhooks/conformance'
import { bookingWebhooks } from '@booking-webhooks/express'
import express from 'express'
import express4 from 'express-4'
import { listen } from '../http/support/listen.js'
import { ground } from '../http/support/small-inbox.js'

for (const [name, framework] of [
  ['Express 4', express4 as unknown as typeof express],
  ['Express 5', express],
] as const)
  frameworkContract({ describe, it }, name, {
    ...ground,
    serve(inbox) {
      const app = framework()
      app.use('/webhooks', bookingWebhooks(inbox))
      app.use((_request, response) => {
        response.status(404).send('the app')
      })
      return listen(app)
    },
  })
