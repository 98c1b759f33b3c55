import type { StoredReading } from '../adapter/adapter.js'
import type { StoredEvent } from '../inbox/stored-event.js'

/** A stored row as the adapter reads it. */
export function readingOf(event: StoredEvent): StoredReading {
  return {
    provider: event.provider,
    account: event.account,
    providerType: event.providerType,
    dedupeKey: event.dedupeKey,
    index: event.index,
    isLook: event.origin === 'look',
    headers: event.headers,
    body: event.body,
    receivedUs: event.receivedUs,
  }
}
