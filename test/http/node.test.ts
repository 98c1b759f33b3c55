import { frameworkContract } from '@booking-webhooks/conformance'
import { bookingWebhooks } from '@booking-webhooks/core/node'
import { listen } from './support/listen.js'
import { ground } from './support/small-inbox.js'

frameworkContract({ describe, it }, 'node:http', {
  ...ground,
  serve(inbox) {
    const webhooks = bookingWebhooks(inbox, { path: '/webhooks' })
    return listen((request, response) =>
      webhooks(request, response, () => {
        response.writeHead(404).end('the app')
      }),
    )
  },
})
