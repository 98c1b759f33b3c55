import { frameworkContract } from '@booking-webhooks/conformance'
import { bookingWebhooks } from '@booking-webhooks/core/node'
import { underContract } from './support/ground.js'
import { listen } from './support/listen.js'

frameworkContract({ describe, it }, 'node:http', {
  ...underContract,
  serve(inbox) {
    const webhooks = bookingWebhooks(inbox, { path: '/webhooks' })
    return listen((request, response) =>
      webhooks(request, response, () => {
        response.writeHead(404).end('the app')
      }),
    )
  },
})
