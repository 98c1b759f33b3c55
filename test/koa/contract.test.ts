import { frameworkContract } from '@booking-webhooks/conformance'
import { bookingWebhooks } from '@booking-webhooks/koa'
import mount from 'koa-mount'
import { underContract } from '../http/support/ground.js'
import { listen } from '../http/support/listen.js'
import { frameworks } from './frameworks.js'

for (const [name, Koa] of frameworks)
  frameworkContract({ describe, it }, name, {
    ...underContract,
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
