import type { WebhookRequest } from '@booking-webhooks/core'

/** A delivery as an inbox or an adapter gets it from a server. */
export function received({
  headers,
  body,
}: {
  headers: Record<string, string>
  body: Uint8Array | string
}): WebhookRequest {
  return {
    method: 'POST',
    publicUrl: null,
    headers: new Headers(headers),
    body: typeof body === 'string' ? Buffer.from(body) : body,
    receivedAt: new Date(),
    account: 'default',
  }
}
