import { type Adapter, isBookingWebhooksError, type WebhookRequest } from '@booking-webhooks/core'

/** What is changed of the request for one try. */
export interface Change {
  body?: Uint8Array
  headers?: Headers
  keys?: readonly string[]
}

/** How the adapter judged one try. */
export type Judged = { keyIndex: number } | { code: string; message: string }

/** Asks the adapter itself, so that no rule of a provider is written twice. */
export async function attempt(
  adapter: Adapter,
  request: WebhookRequest,
  { keys, now }: { keys: readonly string[]; now: Date },
): Promise<Judged> {
  try {
    return await adapter.verify(request, { keys, now })
  } catch (error) {
    if (!isBookingWebhooksError(error) || !error.code.startsWith('SIGNATURE_')) throw error
    return { code: error.code, message: error.message }
  }
}

/** True where the key fits; the time is another question. */
export function fits(judged: Judged): boolean {
  return 'keyIndex' in judged || isOutOfTime(judged)
}

export function isOutOfTime(judged: Judged): boolean {
  return 'code' in judged && ['SIGNATURE_TOO_OLD', 'SIGNATURE_IN_FUTURE'].includes(judged.code)
}
