import { calcom } from '@booking-webhooks/calcom'
import { calcomSignature, calcomStories } from '@booking-webhooks/calcom/testing'
import { adapterContract } from '@booking-webhooks/conformance'
import { examples } from './examples.js'

const key = 'calcom-test-key-one-not-a-secret'
const sentAt = new Date('2026-10-12T15:04:05Z')
const last = (name: keyof typeof calcomStories) =>
  calcomStories[name]({ key, sentAt, prefix: `${name}-` }).at(-1)!

adapterContract(
  { describe, it },
  {
    adapter: calcom({ secret: key }),
    key,
    sign: (body, secret) => ({ 'x-cal-signature-256': calcomSignature(secret, body) }),
    samples: [
      // One for each way in which a body is read; the names of the others differ in the trigger alone.
      ...(
        ['book', 'reschedule', 'group', 'seat-moves', 'meeting-moves', 'request-rejected', 'no-show'] as const
      ).map(last),
      calcomStories.paid({ key, sentAt, prefix: 'paid' })[1]!,
      ...[examples.E4, examples.E8, examples.E10, examples.template].map(({ says, body }) => ({
        title: says,
        body: Buffer.from(body),
      })),
    ],
  },
)
