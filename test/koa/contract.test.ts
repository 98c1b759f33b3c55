import { frameworkContract } from '@booking-webhooks/conformance'
import { bookingWebhooks } from '@booking-webhooks/koa'
import mount from 'koa-mount'
import { listen } from '../http/support/listen.js'
import { ground } from '../http/support/small-inbox.js'
import { frameworks } from './frameworks.js'

for (const [name, Koa] of frameworks)
  frameworkContract({ describe, it }, name, {
    ...ground,
    serve(inbox) {
      const app = new Koa()
      // Koa prints an error for each request that its client cut off.
      app.silent = true
      app.use(mount('/webhooks', bookingWebhooks(inbox)))
      app.use(context => {
        context.status = 404
        context.body = 'the app'
      })
      return listen(app.callback())
    },
  })
