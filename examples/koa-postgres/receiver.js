import { bookingWebhooks } from '@booking-webhooks/koa'
import Koa from 'koa'
import mount from 'koa-mount'
import { providers, store } from './ledger.js'

const { PORT = '3000' } = process.env

/** Verifies, stores and answers, and leaves the rest to the worker: it stays up while that is deployed or down. */
const webhooks = bookingWebhooks({ providers, store, dispatch: false })

const app = new Koa()
app.use(mount('/webhooks', webhooks)) // POST /webhooks/calendly
const server = app.listen(Number(PORT), () => console.log(`listening on port ${PORT}`))

process.once('SIGTERM', () => server.close(() => webhooks.close()))
