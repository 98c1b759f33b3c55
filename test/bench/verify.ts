import { createHmac } from 'node:crypto'
import { acuity } from '@booking-webhooks/acuity'
import { acuityDelivery } from '@booking-webhooks/acuity/testing'
import { calcom } from '@booking-webhooks/calcom'
import { calcomDelivery } from '@booking-webhooks/calcom/testing'
import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import type { Adapter, SampleDelivery } from '@booking-webhooks/core'
import { WebhookVerificationService } from '@hookflo/tern'
import { verify as verifyGithub } from '@octokit/webhooks-methods'
import { Webhook } from 'standardwebhooks'
import { received } from '../support/received.js'
import type { Plan } from './plan.js'
import type { Measured } from './result.js'
import { signingKey } from './signing-key.js'
import { median } from './statistics.js'

/** How fast signed bytes become something to store: verified and parsed, nothing else. */
export async function verify({ rounds, verifyMs }: Plan): Promise<Measured> {
  const contestants = [...ours(), ...others()]
  const speeds = contestants.map(() => [] as number[])
  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const [at, { work }] of contestants.entries()) {
      const speed = await speedOf(work, verifyMs)
      if (round > 0) speeds[at]!.push(speed)
    }
  return {
    rows: contestants.map(({ name }, at) => ({ contestant: name, perSecond: median(speeds[at]!) })),
    checks: [],
  }
}

interface Contestant {
  name: string
  /** Verifies and parses one delivery; throws where it is not signed. */
  work(): unknown
}

const sample = calendlyDelivery({ key: signingKey, event: 'invitee.created' })

function ours(): Contestant[] {
  const apiKey = 'an-api-key-for-the-benchmark'
  const request = acuityDelivery({ key: apiKey, action: 'scheduled' })
  const pairs: [Adapter, SampleDelivery, string][] = [
    [calendly({ signingKey }), sample, signingKey],
    [
      calcom({ secret: signingKey }),
      calcomDelivery({ key: signingKey, trigger: 'BOOKING_CREATED' }),
      signingKey,
    ],
    [acuity({ userId: '1', apiKey }), request, apiKey],
  ]
  return pairs.map(([adapter, delivery, key]) => {
    const request = received(delivery)
    return {
      name: `ours, ${adapter.provider}`,
      async work() {
        await adapter.verify(request, { keys: [key], now: request.receivedAt })
        adapter.read(request, { hash: text => text })
      },
    }
  })
}

/** Their own schemes over the body that Calendly would send. */
function others(): Contestant[] {
  const text = new TextDecoder().decode(sample.body)
  const hub = `sha256=${createHmac('sha256', signingKey).update(text).digest('hex')}`
  const standard = new Webhook(`whsec_${Buffer.from(signingKey).toString('base64')}`)
  const sentAt = new Date()
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': standard.sign('msg_1', sentAt, text),
  }
  return [
    {
      name: '@octokit/webhooks-methods',
      async work() {
        if (!(await verifyGithub(signingKey, text, hub))) throw new Error('octokit refused it.')
        JSON.parse(text)
      },
    },
    { name: 'standardwebhooks', work: () => standard.verify(text, headers) },
    {
      name: '@hookflo/tern',
      async work() {
        const request = new Request('http://localhost/', {
          method: 'POST',
          headers: { 'x-hub-signature-256': hub },
          body: text,
        })
        const { isValid } = await WebhookVerificationService.verifyWithPlatformConfig(
          request,
          'github',
          signingKey,
        )
        if (!isValid) throw new Error('tern refused it.')
      },
    },
  ]
}

/** Per second of the processor's time: this needs nothing else, and others may be busy. */
async function speedOf(work: () => unknown, ms: number): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; ; count += 10) {
    const { user, system } = process.cpuUsage(before)
    if (user + system >= ms * 1000) return (count * 1_000_000) / (user + system)
    for (let turn = 0; turn < 10; turn++) await work()
  }
}
