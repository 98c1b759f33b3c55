import { createInbox } from '@booking-webhooks/core'
import { providers, store } from './ledger.js'

/** Settles what the receiver stored and tells the subscribers, each at its own pace. Start as many of these as you like. */
const inbox = createInbox({
  providers,
  store,
  subscribers: {
    calendar: {
      'booking.created': ({ booking }) => console.log(`calendar: ${booking.id} at ${booking.startsAt}`),
      'booking.rescheduled': ({ booking, previous }) =>
        console.log(`calendar: ${previous.bookingId} becomes ${booking.id} at ${booking.startsAt}`),
      'booking.canceled': ({ booking }) => console.log(`calendar: ${booking.id} is off`),
      'booking.conflict': ({ booking }) => console.log(`calendar: ${booking.id} waits`),
    },
    mail: {
      attempts: 5,
      on: {
        'booking.created': ({ booking }) => console.log(`mail to ${booking.attendee?.email}: welcome`),
        'booking.rescheduled': ({ booking }) => console.log(`mail to ${booking.attendee?.email}: a new time`),
        'booking.conflict': null, // the office calls
      },
    },
  },
  onAlert: ({ kind, subject }) => console.error(`${kind}: ${subject}`),
})

await inbox.start()
console.log('working')

process.once('SIGTERM', () => inbox.close())
