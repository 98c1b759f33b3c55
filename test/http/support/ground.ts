import { acuity } from '@booking-webhooks/acuity'
import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery, calendlySignature } from '@booking-webhooks/calendly/testing'
import type { FrameworkUnderTest } from '@booking-webhooks/conformance'
import { signingKey, type WorkbenchOptions, workbench } from '../../support/workbench.js'

const bookedAt = new Date()
const bodies = new Map<number, Uint8Array>()

/** Ann's n-th booking, as Calendly sends it. */
export function body(n = 1): Uint8Array {
  const sample = { key: signingKey, event: 'invitee.created', at: bookedAt }
  const bytes =
    bodies.get(n) ??
    calendlyDelivery({
      ...sample,
      invitee: { id: `IN${n}`, meeting: `EV${n}`, hosts: [`US${n}`], name: 'Zoë' },
    }).body
  bodies.set(n, bytes)
  return bytes
}

export function sign(bytes: Uint8Array): Record<string, string> {
  return { 'Calendly-Webhook-Signature': calendlySignature(signingKey, bytes, new Date()) }
}

/** Calendly alone, or with Acuity, over a database in memory. */
export function ground({
  providers = 1,
  ...options
}: Omit<WorkbenchOptions, 'providers'> & { providers?: 1 | 2 } = {}) {
  const adapters = [calendly({ signingKey }), acuity({ userId: '1', apiKey: 'an-api-key-for-tests' })]
  return workbench({ database: ':memory:', ...options, providers: adapters.slice(0, providers) })
}

/** What the contract of frameworks stands on. */
export const underContract: Omit<FrameworkUnderTest, 'serve'> = {
  inbox: async ({ subscriber, ...wanted }) =>
    ground({
      ...wanted,
      ...(subscriber && { dispatch: true, subscribers: { slow: { takes: ['*'], tell: subscriber } } }),
    }).inbox,
  body,
  sign,
}
