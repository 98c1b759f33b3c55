import {
  type BookingEvent,
  calendly,
  createInbox,
  type ForwardOptions,
  forward,
  type Inbox,
  knexStore,
  type Store,
} from 'booking-webhooks'
import { bookingWebhooks as onExpress } from 'booking-webhooks/express'
import { bookingWebhooks as onKoa } from 'booking-webhooks/koa'
import express from 'express'
import express4 from 'express-4'
import Koa from 'koa'
import Koa2 from 'koa-2'
import mount from 'koa-mount'

declare const store: Store
declare const forwarding: ForwardOptions

// Nothing is required: the environment has the rest.
express().use(onExpress()).use('/webhooks', onExpress({}))
express4().use(onExpress()).use('/webhooks', onExpress({}))
new Koa().use(onKoa()).use(mount('/webhooks', onKoa({})))
new Koa2().use(onKoa())

for (const bookingWebhooks of [onExpress, onKoa]) {
  const webhooks = bookingWebhooks({
    on: {
      'booking.created': async ({ booking, provider }, { once }) => {
        // Whichever of them the environment connects.
        provider satisfies 'calendly' | 'calcom' | 'acuity'
        const id: string = await once('calendar', () => booking.id)
        return id
      },
      'booking.rescheduled': ({ booking, previous }) => [booking.id, previous.bookingId],
      'booking.conflict': null,
    },
  })
  webhooks.inbox satisfies Inbox
  webhooks.close() satisfies Promise<void>
  bookingWebhooks(webhooks.inbox)

  bookingWebhooks({
    providers: [calendly({ signingKey: 'key' })],
    store: knexStore('file.db'),
    on: { 'booking.created': ({ provider }) => provider satisfies 'calendly' },
  })
  bookingWebhooks({ subscribers: { crm: forward(forwarding) }, maxBodyBytes: 100_000 })

  bookingWebhooks({
    // @ts-expect-error two l's
    on: { 'booking.cancelled': () => {} },
  })
  bookingWebhooks({
    providers: [calendly({ signingKey: 'key' })],
    on: {
      // @ts-expect-error calendly's events are not acuity's
      'booking.created': ({ provider }) => provider === 'acuity',
    },
  })
  // @ts-expect-error no such option
  bookingWebhooks({ provider: calendly({ signingKey: 'key' }) })
}

// What the parts are made of comes with them.
createInbox({ providers: [calendly({ signingKey: 'key' })], store })
declare const event: BookingEvent
event.id satisfies string
