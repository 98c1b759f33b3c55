import { frameworkContract } from '@booking-webhooks/conformance'
import { bookingWebhooks } from '@booking-webhooks/express'
import { listen } from '../http/support/listen.js'
import { ground } from '../http/support/small-inbox.js'
import { frameworks } from './frameworks.js'

for (const [name, express] of frameworks)
  frameworkContract({ describe, it }, name, {
    ...ground,
    serve(inbox) {
      const app = express()
      app.use('/webhooks', bookingWebhooks(inbox))
      app.use((_request, response) => {
        response.status(404).send('the app')
      })
      return listen(app)
    },
  })
