import { createHash } from 'node:crypto'
import type { ReadContext, Reading, Target, WebhookRequest } from '@booking-webhooks/core'
import type { Senseless } from './delivery.js'
import { contentOf, type Happening } from './happening.js'

/** One reading for each person or booking that a verified body tells of; what makes no sense is one that says why. Never throws. */
export function read({ body }: WebhookRequest, { hash }: ReadContext): { readings: Reading[] } {
  const content = contentOf(body, hash)
  if ('problem' in content) return { readings: [unreadable(content, body)] }
  return { readings: content.happenings.map(happening => readingOf(happening, content.delivery.trigger)) }
}

function readingOf(happening: Happening, providerType: string): Reading {
  const { dedupeKey, uid, type } = happening
  const common = { dedupeKey, lane: uid ?? dedupeKey, providerType, type, meetingId: uid, unreadable: null }
  if (happening.of === 'other') return { ...common, bookingId: null, occurredUs: happening.occurredUs }
  const { target, occurredUs } = happening.fact
  return { ...common, bookingId: bookingNamedBy(target), occurredUs }
}

/** The one booking that it seems to be about; null where only the fold can tell. */
function bookingNamedBy(target: Target): string | null {
  if (target.kind === 'booking') return target.id
  return target.kind === 'person' ? (target.named ?? target.newId) : null
}

/** Where a cancel names its meeting, interpreting calls it unreadable: that may ask for a second look. */
function unreadable({ trigger, problem, uid }: Senseless, body: Uint8Array): Reading {
  const dedupeKey = `${trigger ?? '?'}|${createHash('sha256').update(body).digest('hex')}`
  return {
    dedupeKey,
    lane: uid ?? dedupeKey,
    providerType: trigger ?? 'unreadable',
    type: null,
    bookingId: null,
    meetingId: uid ?? null,
    occurredUs: null,
    unreadable: uid === undefined ? problem : null,
  }
}
