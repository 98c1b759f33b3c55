import { calendly } from '@booking-webhooks/calendly'
import { calendlySignature, calendlyStories, samplePayload } from '@booking-webhooks/calendly/testing'
import { adapterContract } from '@booking-webhooks/conformance'

const key = 'calendly-test-key-one-not-a-secret'
const sentAt = new Date('2026-10-12T15:04:05Z')
const [, canceledHalf, createdHalf] = calendlyStories.reschedule({ key, sentAt, prefix: 'a' })
const [, mark, takenBack] = calendlyStories['no-show']({ key, sentAt, prefix: 'b' })
const [seat, , canceledSeat] = calendlyStories.group({ key, sentAt, prefix: 'c' })
const [old] = calendlyStories['old-payload']({ key, sentAt, prefix: 'd' })
const scheduled_event = samplePayload({ title: 'Fetched' }, sentAt).scheduled_event

adapterContract(
  { describe, it },
  {
    adapter: calendly({ signingKey: key }),
    key,
    sign: (body, signingKey, at) => ({
      'calendly-webhook-signature': calendlySignature(signingKey, body, at),
    }),
    samples: [
      canceledHalf!,
      createdHalf!,
      mark!,
      takenBack!,
      seat!,
      canceledSeat!,
      { ...old!, snapshot: { scheduled_event } },
      ...calendlyStories['routing-form']({ key, sentAt, prefix: 'e' }),
      ...calendlyStories.unknown({ key, sentAt, prefix: 'f' }),
    ],
  },
)
