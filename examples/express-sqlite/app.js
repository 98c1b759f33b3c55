import { calcom } from '@booking-webhooks/calcom'
import { calendly } from '@booking-webhooks/calendly'
import { bookingWebhooks } from '@booking-webhooks/express'
import { knexStore } from '@booking-webhooks/knex'
import express from 'express'
import { openCalendar } from './calendar.js'

const { CALENDLY_SIGNING_KEY, CALCOM_WEBHOOK_SECRET, DATABASE_URL, CALENDAR, PORT = '3000' } = process.env
const calendar = openCalendar(CALENDAR ?? './calendar.db')

const webhooks = bookingWebhooks({
  providers: [calendly({ signingKey: CALENDLY_SIGNING_KEY }), calcom({ secret: CALCOM_WEBHOOK_SECRET })],
  store: knexStore(DATABASE_URL ?? './bookings.db'),
  on: {
    'booking.created': async ({ booking }, { once }) => {
      await once('calendar', () => calendar.put(booking))
      await once('mail', () =>
        console.log(`mail to ${booking.attendee?.email}: see you at ${booking.startsAt}`),
      )
    },
    'booking.rescheduled': ({ booking, previous }) => {
      calendar.remove(previous.bookingId)
      calendar.put(booking)
    },
    'booking.updated': ({ booking }) => {
      if (booking.status === 'confirmed') calendar.put(booking)
    },
    'booking.canceled': ({ booking }) => calendar.remove(booking.id),
    'booking.conflict': ({ booking, conflict }) =>
      console.log(`${booking.id} waits: ${conflict.with} is there`),
  },
})

const app = express()
app.use('/webhooks', webhooks) // before body parsers: POST /webhooks/calendly, POST /webhooks/calcom
app.use(express.json())
app.get('/calendar', (_request, response) => response.json(calendar.all()))
app.get('/healthz', async (_request, response) => {
  await webhooks.inbox.ping()
  response.send('ok')
})

const server = app.listen(Number(PORT), () => console.log(`listening on port ${PORT}`))

process.once('SIGTERM', () => {
  server.close(async () => {
    await webhooks.close()
    calendar.close()
  })
})
