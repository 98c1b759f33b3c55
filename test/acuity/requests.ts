import type { StoredReading, WebhookRequest } from '@booking-webhooks/core'

/** A request as the middleware hands it on. */
export function request(body: string | Uint8Array, headers: Headers = new Headers()): WebhookRequest {
  return {
    method: 'POST',
    publicUrl: null,
    headers,
    body: Buffer.from(body),
    receivedAt: new Date('2027-03-01T14:04:06Z'),
    account: 'default',
  }
}

/** A poke as the store keeps it. */
export function stored(body: string | Uint8Array, more: Partial<StoredReading> = {}): StoredReading {
  return {
    provider: 'acuity',
    account: 'default',
    providerType: 'changed',
    dedupeKey: 'poke:1',
    index: 0,
    isLook: false,
    headers: {},
    body: Buffer.from(body),
    receivedUs: Date.parse('2027-03-01T14:04:06Z') * 1000,
    ...more,
  }
}

export const poke = (action: string, id = 510200301) =>
  `action=${action}&id=${id}&calendarID=40001&appointmentTypeID=70002`
