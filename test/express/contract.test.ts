import { frameworkContract } from '@booking-webhooks/conformance'
import { bookingWebhooks } from '@booking-webhooks/express'
import { underContract } from '../http/support/ground.js'
import { listen } from '../http/support/listen.js'
import { frameworks } from './frameworks.js'

for (const [name, express] of frameworks)
  frameworkContract({ describe, it }, name, {
    ...underContract,
    serve(inbox) {
      const app = express()
      app.use('/webhooks', bookingWebhooks(inbox))
      app.use((_request, response) => {
        response.status(404).send('the app')
      })
      return listen(app)
    },
  })
