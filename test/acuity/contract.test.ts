import { acuity } from '@booking-webhooks/acuity'
import { type AcuitySampleDelivery, acuitySignature, acuityStories } from '@booking-webhooks/acuity/testing'
import { adapterContract } from '@booking-webhooks/conformance'

const key = 'acuity-test-key-one-not-a-secret'
const sentAt = new Date('2026-10-12T15:04:05Z')

const { book, cancel, reschedule, noShow, order } = acuityStories
const told = [book, cancel, reschedule, noShow, order].map((story, index) =>
  story({ key, sentAt, prefix: String(index) }).findLast(({ title }) => title !== 'Acuity repeats itself'),
)
const samples = told.map(sample => {
  const { title, body, appointment } = sample as AcuitySampleDelivery
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
