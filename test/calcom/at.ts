import { createHmac } from 'node:crypto'
import { calcom } from '@booking-webhooks/calcom'
import type {
  Interpreted,
  InterpretedFact,
  Reading,
  StoredReading,
  WebhookRequest,
} from '@booking-webhooks/core'
import { exampleSecret } from './examples.js'

/** A stand-in for the installation's hash. */
export const hash = (text: string) => createHmac('sha256', 'salt').update(text).digest('hex').slice(0, 32)

export const adapter = calcom({ secret: exampleSecret })
export const receivedAt = new Date('2026-02-01T00:00:00Z')

export function request(body: string | Uint8Array, headers: Record<string, string> = {}): WebhookRequest {
  return {
    method: 'POST',
    publicUrl: null,
    headers: new Headers(headers),
    body: typeof body === 'string' ? Buffer.from(body) : body,
    receivedAt,
    account: 'default',
  }
}

export function readingsOf(body: string | Uint8Array): Reading[] {
  const read = adapter.read(request(body), { hash })
  if ('reply' in read) throw new Error('a reply')
  return read.readings
}

export function stored(
  body: string | Uint8Array,
  index = 0,
  reading = readingsOf(body)[index],
): StoredReading {
  return {
    provider: 'calcom',
    account: 'default',
    providerType: reading.providerType,
    dedupeKey: reading.dedupeKey ?? 'poke',
    index,
    isLook: false,
    headers: {},
    body: typeof body === 'string' ? Buffer.from(body) : body,
    receivedUs: receivedAt.getTime() * 1000,
  }
}

/** All that a body tells, without asking anybody. */
export function told(body: string | Uint8Array, by = adapter): Interpreted[] {
  return readingsOf(body).flatMap((reading, index) =>
    by.interpret(stored(body, index, reading), null, null, { hash, connectedUs: 0 }),
  )
}

export function factsIn(body: string | Uint8Array, by = adapter): InterpretedFact['fact'][] {
  return told(body, by).map(one => {
    if (!('fact' in one)) throw new Error(`no fact: ${JSON.stringify(one)}`)
    return one.fact
  })
}

/** The body with some fields of its payload replaced; undefined leaves one out. */
export function withPayload(body: string, payload: object, envelope: object = {}): string {
  const parsed = JSON.parse(body)
  return JSON.stringify({ ...parsed, payload: { ...parsed.payload, ...payload }, ...envelope })
}
