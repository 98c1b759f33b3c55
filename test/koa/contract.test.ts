import { frameworkContract } from '@booking-webhooks/conformance'
import { bookingWebhooks } from '@booking-webhooks/koa'
import Koa from 'koa'
import Koa2 from 'koa-2'
import mount from 'koa-mount'
import { listen } from '../http/support/listen.js'
import { ground } from '../http/support/small-inbox.js'

for (const [name, Framework] of [
  ['Koa 2', Koa2 as unknown as typeof Koa],
  ['Koa 3', Koa],
] as const)
  frameworkContract({ describe, it }, name, {
    ...ground,
    serve(inbox) {
      const app = new Framework()
      app.silent = true
      app.use(mount('/webhooks', bookingWebhooks(inbox)))
      app.use(context => {
        context.status = 404
        context.body = 'the app'
      })
      return listen(app.callback())
    },
  })
