import { acuity } from '@booking-webhooks/acuity'
import { type AcuitySampleDelivery, acuitySignature, acuityStories } from '@booking-webhooks/acuity/testing'
import { adapterContract } from '@booking-webhooks/conformance'

const key = 'acuity-test-key-one-not-a-secret'
const sentAt = new Date('2026-10-12T15:04:05Z')

const stories = (['book', 'cancel', 'reschedule', 'group', 'order', 'unknown'] as const).map((name, index) =>
  acuityStories[name]({ key, sentAt, prefix: String(index) }),
)
const samples = stories.map(story => {
  const { title, body, appointment } = story.at(-1) as AcuitySampleDelivery
  return { title, body, ...(appointment && { snapshot: appointment }) }
})

adapterContract(
  { describe, it },
  {
    adapter: acuity({ apiKey: key }),
    key,
    sign: (body, apiKey) => ({ 'x-acuity-signature': acuitySignature(apiKey, body) }),
    samples,
  },
)
