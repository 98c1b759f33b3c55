import { calendly } from '@booking-webhooks/calendly'
import { type CalendlyDeliveryOptions, calendlyDelivery } from '@booking-webhooks/calendly/testing'
import type {
  Adapter,
  Interpreted,
  InterpretedFact,
  Reading,
  StoredBooking,
  StoredReading,
} from '@booking-webhooks/core'

export const key = 'calendly-test-key-one-not-a-secret'
export const adapter = calendly({ signingKey: key })
export const sentAt = new Date('2026-10-12T15:04:05.678Z')
export const api = 'https://api.calendly.com'
export const uri = (invitee: number, meeting = invitee) =>
  `${api}/scheduled_events/EV${meeting}/invitees/IN${invitee}`

/** The n-th person at a meeting of their own, unless another is named. */
export const person = (invitee: number, meeting = invitee) => ({
  id: `IN${invitee}`,
  meeting: `EV${meeting}`,
})

/** A body as the options describe it, or any text or bytes. */
export function bodyOf(body: Partial<CalendlyDeliveryOptions> | string | Uint8Array): Uint8Array {
  if (body instanceof Uint8Array) return body
  if (typeof body === 'string') return Buffer.from(body)
  return calendlyDelivery({ key, sentAt, event: 'invitee.created', ...body }).body
}

export function readingsOf(body: Parameters<typeof bodyOf>[0]): Reading[] {
  const receivedAt = sentAt
  const bytes = bodyOf(body)
  const read = adapter.read(
    { method: 'POST', publicUrl: null, headers: new Headers(), body: bytes, receivedAt, account: 'default' },
    { hash: text => text },
  )
  return 'readings' in read ? read.readings : []
}

export function stored(
  body: Parameters<typeof bodyOf>[0],
  index = 0,
  more: Partial<StoredReading> = {},
): StoredReading {
  const reading = readingsOf(body)[index]!
  return {
    provider: 'calendly',
    account: 'default',
    providerType: reading.providerType,
    dedupeKey: reading.dedupeKey!,
    index,
    isLook: false,
    headers: {},
    body: bodyOf(body),
    receivedUs: sentAt.getTime() * 1000,
    ...more,
  }
}

/** A second look that came due. */
export function lookFor(invitee: string): StoredReading {
  const body = Buffer.from(JSON.stringify({ invitee }))
  return { ...stored({}), dedupeKey: `look:${invitee}`, providerType: 'look', isLook: true, body }
}

export function interpret(
  reading: StoredReading,
  snapshot: unknown = null,
  booking: StoredBooking | null = null,
  from: Adapter = adapter,
): Interpreted[] {
  return from.interpret(reading, snapshot, booking, { hash: text => text, connectedUs: 0 })
}

/** The first event of a body, which must be about a booking. */
export function eventOf(
  body: Parameters<typeof bodyOf>[0],
  index = 0,
  snapshot: unknown = null,
): InterpretedFact {
  return interpret(stored(body, index), snapshot)[0] as InterpretedFact
}

export const factOf = (...all: Parameters<typeof eventOf>) => eventOf(...all).fact

export function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map(rest => [item, ...rest]))
}
