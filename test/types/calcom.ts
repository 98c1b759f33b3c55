// Compiled, never run: what compiles here must, and what is marked as an error must not.
import { type CalcomEnvelope, calcom } from '@booking-webhooks/calcom'
import { calcomDelivery, calcomStories } from '@booking-webhooks/calcom/testing'
import type { Adapter, EventsOf, SampleDelivery, Story } from '@booking-webhooks/core'

declare const environment: Record<string, string | undefined>

// Secrets in every form; undefined is refused when it runs, in words.
calcom({ secret: environment.CALCOM_WEBHOOK_SECRET }) satisfies Adapter<'calcom', CalcomEnvelope>
calcom({ secret: ['of the user', 'of the team'], apiKey: environment.CALCOM_API_KEY })
calcom({ secret: { acme: 'secret' }, apiKey: { acme: 'cal_key' } })
calcom({ secret: async account => [account], getToken: (account, { isRefused }) => `${account}${isRefused}` })
calcom({ secret: 'secret', platform: { clientId: 'id', secretKey: 'key' } })
calcom({ allowUnsigned: true })

// @ts-expect-error a secret is text
calcom({ secret: 17 })
// @ts-expect-error a setting of another provider
calcom({ secret: 'secret', tolerance: { pastSeconds: 180 } })
// @ts-expect-error a platform has a key too
calcom({ secret: 'secret', platform: { clientId: 'id' } })

declare const event: EventsOf<readonly [ReturnType<typeof calcom>]>
event.provider satisfies 'calcom'
event.raw.payload?.rescheduleUid satisfies string | null | undefined
event.raw.data?.recurringBookingUid satisfies string | null | undefined
// @ts-expect-error whatever is read may be missing
event.raw.payload.uid
// @ts-expect-error no such field is read
event.raw.payload?.brand_new

// Samples for anyone's tests.
calcomStories.reschedule({ key: 'key', startsAt: new Date() }) satisfies SampleDelivery[]
calcomStories['two-subscriptions'] satisfies Story
calcomDelivery({ trigger: 'BOOKING_CREATED', key: 'key', booking: { seat: 'seat', seatsPerTimeSlot: 5 } })
// @ts-expect-error no such story
calcomStories.bok
// @ts-expect-error a sample is signed with a key
calcomDelivery({ trigger: 'BOOKING_CREATED' })
