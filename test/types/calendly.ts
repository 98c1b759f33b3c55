// Compiled, never run: what compiles here must, and what is marked as an error must not.
import { type AcuityRaw, acuity } from '@booking-webhooks/acuity'
import { type CalendlyEnvelope, calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery, calendlyStories } from '@booking-webhooks/calendly/testing'
import type { Adapter, EventsOf, SampleDelivery, Store, Story } from '@booking-webhooks/core'
import { createInbox } from '@booking-webhooks/core'

declare const store: Store
declare const environment: Record<string, string | undefined>

// Keys in every form; undefined is refused when it runs, in words.
calendly({ signingKey: environment.CALENDLY_SIGNING_KEY }) satisfies Adapter<'calendly', CalendlyEnvelope>
calendly({ signingKey: ['old', 'new'] })
calendly({ signingKey: { acme: 'key', beta: ['old', 'new'], gamma: environment.GAMMA_KEY } })
calendly({ signingKey: account => (account === 'acme' ? 'key' : null) })
calendly({ signingKey: async account => [account], getToken: async account => account })
calendly({
  signingKey: 'key',
  tolerance: { pastSeconds: Number.POSITIVE_INFINITY },
  token: environment.TOKEN,
})

// @ts-expect-error a key is required
calendly({})
// @ts-expect-error a key is text
calendly({ signingKey: 17 })
// @ts-expect-error a key is text, also a promised one
calendly({ signingKey: async () => 17 })
// @ts-expect-error a setting of another provider
calendly({ signingKey: 'key', apiKey: 'key' })
// @ts-expect-error seconds are numbers
calendly({ signingKey: 'key', tolerance: { pastSeconds: '180' } })

const one = [calendly({ signingKey: 'key' })] as const
const two = [calendly({ signingKey: 'key' }), acuity({ apiKey: 'key' })] as const

declare const event: EventsOf<typeof two>

// What was sent narrows by provider.
if (event.provider === 'calendly') {
  event.raw satisfies CalendlyEnvelope
  const invitee: string | undefined = event.raw.payload?.uri
  // @ts-expect-error whatever is read may be missing
  const certain: string = event.raw.payload.uri
  // @ts-expect-error no such field is read
  event.raw.payload?.brand_new
  void [invitee, certain]
} else {
  event.raw satisfies AcuityRaw
  // @ts-expect-error acuity's payload is not calendly's
  event.raw satisfies CalendlyEnvelope
}

// What an event promises narrows by type.
if (event.type === 'booking.rescheduled') event.previous.bookingId satisfies string
if (event.type === 'booking.canceled') event.cancellation.by satisfies 'host' | 'attendee' | 'unknown'
if (event.type === 'booking.conflict') event.conflict.with satisfies string[]
if (event.type === 'booking.created') {
  event.booking.id satisfies string
  // @ts-expect-error a create may replace nothing
  event.previous.bookingId
}
if (event.booking === null) event.type satisfies `provider.${string}`

// @ts-expect-error not one of these providers
event.provider === 'calcom'

createInbox({
  providers: two,
  store,
  on: {
    'booking.created': ({ provider, raw, booking, conflict }) => {
      provider satisfies 'calendly' | 'acuity'
      raw satisfies CalendlyEnvelope | AcuityRaw
      conflict satisfies null
      return booking.id
    },
    'booking.rescheduled': event => {
      if (event.provider === 'calendly') event.raw.payload?.old_invitee satisfies string | null | undefined
      return event.previous.startsAt
    },
    'booking.canceled': null,
    'provider.routing_form_submission.created': event => {
      event.booking satisfies null
      event.type satisfies `provider.${string}`
    },
  },
})

createInbox({
  providers: one,
  store,
  // @ts-expect-error two l's
  on: { 'booking.cancelled': () => {} },
})

createInbox({
  providers: one,
  store,
  // @ts-expect-error calendly's own name is under provider.
  on: { 'invitee.created': () => {} },
})

createInbox({
  providers: one,
  store,
  on: {
    // @ts-expect-error handlers take the event first
    'booking.created': (name: string) => name,
  },
})

createInbox({
  providers: one,
  store,
  on: {
    // @ts-expect-error handlers take an event and a context
    'booking.created': (_event, _context, _more) => {},
  },
})

createInbox({
  providers: one,
  store,
  // @ts-expect-error calendly's events have no acuity payload
  on: { 'booking.created': ({ raw }) => raw.appointment },
})

createInbox({
  // @ts-expect-error an adapter, not its factory
  providers: [calendly],
  store,
})

createInbox({
  // @ts-expect-error an adapter, not its name
  providers: ['calendly'],
  store,
})

// Samples for anyone's tests.
calendlyStories.reschedule({ key: 'key', startsAt: new Date() }) satisfies SampleDelivery[]
calendlyStories['no-show'] satisfies Story
calendlyDelivery({ event: 'invitee.created', key: 'key' }).body satisfies Uint8Array
// @ts-expect-error no such story
calendlyStories.bok
// @ts-expect-error a sample is signed with a key
calendlyDelivery({ event: 'invitee.created' })
