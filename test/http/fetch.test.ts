import type { Server } from 'node:http'
import { frameworkContract } from '@booking-webhooks/conformance'
import { bookingWebhooks } from '@booking-webhooks/core/fetch'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { underContract } from './support/ground.js'
import { listen } from './support/listen.js'

frameworkContract({ describe, it }, 'a fetch handler (Hono)', {
  ...underContract,
  serve(inbox) {
    const webhooks = bookingWebhooks(inbox, { path: '/webhooks' })
    const app = new Hono()
    app.all('/webhooks/*', async (context, next) => {
      const response = await webhooks(context.req.raw)
      return response.status === 404 ? next() : response
    })
    app.notFound(context => context.text('the app', 404))
    return listen(createAdaptorServer(app) as Server)
  },
})
