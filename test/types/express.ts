import { type CalendlyEnvelope, calendly } from '@booking-webhooks/calendly'
import type { BookingEvent, Inbox, Store } from '@booking-webhooks/core'
import { bookingWebhooks } from '@booking-webhooks/express'
import express from 'express'
import express4 from 'express-4'

declare const store: Store
declare const inbox: Inbox

const providers = [calendly({ signingKey: 'key' })] as const

const webhooks = bookingWebhooks({
  providers: [calendly({ signingKey: 'key' })],
  store,
  on: {
    'booking.created': async ({ booking, provider, raw }, { once }) => {
      const name: 'calendly' = provider
      const envelope: CalendlyEnvelope = raw
      const id: string = await once('calendar', () => booking.id)
      return [name, envelope, id]
    },
    'booking.rescheduled': ({ booking, previous }) => [booking.id, previous.bookingId],
    'booking.canceled': ({ cancellation }) => cancellation.reason,
    'booking.conflict': ({ conflict }) => conflict.with,
    'booking.paid': null,
    'provider.routing_form_submission.created': ({ booking }) => booking satisfies null,
  },
})

// Both majors take it wherever they take middleware.
express().use(webhooks).use('/webhooks', webhooks).post('/webhooks/:provider', webhooks)
express.Router().use('/webhooks', webhooks).all('/webhooks/:provider', webhooks)
express4().use(webhooks).use('/webhooks', webhooks).post('/webhooks/:provider', webhooks)
express4.Router().use('/webhooks', webhooks).all('/webhooks/:provider', webhooks)
express().use(bookingWebhooks(inbox))

webhooks.inbox satisfies Inbox
webhooks.close() satisfies Promise<void>

bookingWebhooks({
  providers: [calendly({ signingKey: 'key' })],
  store,
  // @ts-expect-error no such event
  on: { 'booking.createdd': () => {} },
})

bookingWebhooks({
  providers,
  store,
  // @ts-expect-error two l's
  on: { 'booking.cancelled': () => {} },
})

bookingWebhooks({
  providers,
  store,
  on: {
    // @ts-expect-error calendly's events are not acuity's
    'booking.created': ({ provider }) => provider === 'acuity',
  },
})

bookingWebhooks({
  providers,
  store,
  on: {
    // @ts-expect-error a handler of something else
    'booking.created': (event: { nonsense: number }) => event.nonsense,
  },
})

bookingWebhooks({
  providers,
  store,
  on: {
    // @ts-expect-error only a reschedule surely has a previous booking
    'booking.created': ({ previous }) => previous.bookingId,
  },
})

// @ts-expect-error a name is no adapter
bookingWebhooks({ providers: ['calendly'], store })

bookingWebhooks({
  // @ts-expect-error an adapter, called without its settings
  providers: [calendly],
  store,
})

// @ts-expect-error a store is required
bookingWebhooks({ providers })

// @ts-expect-error so are providers
bookingWebhooks({ store })

bookingWebhooks({
  providers,
  store,
  subscribers: {
    crm: {
      takes: ['*'],
      tell: (event: BookingEvent<'calendly', CalendlyEnvelope>) => event.id,
    },
    calendar: { on: { 'booking.created': () => {} }, timeoutMs: 1000 },
    // @ts-expect-error no such event
    mail: { 'booking.made': () => {} },
  },
})
