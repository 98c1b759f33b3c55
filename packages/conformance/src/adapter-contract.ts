import type { Adapter, Reading, Snapshot, StoredReading, WebhookRequest } from '@booking-webhooks/core'
import { eventsContract } from './adapter/events.js'
import { hostileContract } from './adapter/hostile.js'
import { readingsContract } from './adapter/readings.js'
import { signaturesContract } from './adapter/signatures.js'
import type { TestFunctions } from './test-functions.js'

/** An adapter, and what its provider sends. */
export interface AdapterUnderTest {
  /** Made with `key` for the account `default`, and with nothing that asks the provider's API. */
  adapter: Adapter
  key: string
  /** The headers with which the provider sends these bytes, signed with this key at this time. */
  sign(body: Uint8Array, key: string, at: Date): Record<string, string>
  /** One for each thing that the adapter knows; no two tell the same event, and every one tells something. */
  samples: readonly AdapterSample[]
}

export interface AdapterSample {
  title: string
  body: Uint8Array
  /** What `fetch` brings for it, where the body is not enough. */
  snapshot?: Snapshot
}

/** What the contract's parts share. */
export interface Bench extends AdapterUnderTest {
  now: Date
  request(body: Uint8Array, headers?: Record<string, string>): WebhookRequest
  /** The readings of a body, as they come back from the store. */
  stored(body: Uint8Array): StoredReading[]
  asStored(readings: readonly Reading[], body: Uint8Array): StoredReading[]
  hash(text: string): string
}

const now = new Date('2026-10-12T15:04:05.678Z')

/** What every adapter must hold, whatever its provider. A new provider is done when it passes, with tests of its own mapping beside it. */
export function adapterContract(tests: TestFunctions, under: AdapterUnderTest): void {
  const { provider } = under.adapter
  const hash = (text: string) => `hash${Buffer.from(text).toString('hex').slice(0, 28)}`
  const request: Bench['request'] = (body, headers = {}) => ({
    method: 'POST',
    publicUrl: `https://hooks.example.com/webhooks/${provider}`,
    headers: new Headers(headers),
    body,
    receivedAt: now,
    account: 'default',
  })
  const asStored: Bench['asStored'] = (readings, body) =>
    readings.map((reading, index) => ({
      provider,
      account: 'default',
      providerType: reading.providerType,
      dedupeKey: reading.dedupeKey ?? `poke:${index}`,
      index,
      isLook: false,
      headers: {},
      body,
      receivedUs: now.getTime() * 1000,
    }))
  const stored: Bench['stored'] = body => {
    const read = under.adapter.read(request(body), { hash })
    return 'reply' in read ? [] : asStored(read.readings, body)
  }
  const bench: Bench = { ...under, now, request, hash, asStored, stored }
  tests.describe(`${provider} as an adapter`, () => {
    signaturesContract(tests, bench)
    readingsContract(tests, bench)
    eventsContract(tests, bench)
    hostileContract(tests, bench)
  })
}
