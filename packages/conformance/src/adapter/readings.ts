import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import type { Reading } from '@booking-webhooks/core'
import type { Bench } from '../adapter-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { isId } from './is-id.js'

/** What is known of a request before it is stored. */
export function readingsContract({ describe, it }: TestFunctions, bench: Bench): void {
  const { adapter, samples, request, hash, sign, key, now } = bench

  function readings(body: Uint8Array, headers: Record<string, string> = {}): Reading[] {
    const read = adapter.read(request(body, headers), { hash })
    return 'readings' in read ? read.readings : []
  }

  describe('readings', () => {
    for (const { title, body } of samples)
      it(`are made of: ${title}`, async () => {
        const found = readings(body)
        ok(found.length > 0)
        for (const reading of found) {
          equal(reading.unreadable, null)
          ok(isId(reading.providerType), 'no event name')
          ok(reading.lane.length > 0, 'no lane')
          ok(reading.dedupeKey !== '', 'an empty key')
          for (const id of [reading.bookingId, reading.meetingId]) ok(id === null || isId(id), 'no id')
          ok(reading.occurredUs === null || Number.isSafeInteger(reading.occurredUs))
        }
      })

    it('have keys of their own, but for pokes, which have none', async () => {
      const keys = samples.flatMap(({ body }) => readings(body).map(({ dedupeKey }) => dedupeKey))
      const known = keys.filter(one => one !== null)
      equal(new Set(known).size, known.length)
    })

    it('depend on the signed bytes alone', async () => {
      for (const { body } of samples) {
        const before = Buffer.from(body)
        const plain = readings(body)
        deepEqual(readings(body, { ...sign(body, key, now), 'x-request-id': '1' }), plain)
        const later = { ...request(body), receivedAt: new Date(now.getTime() + 86_400_000) }
        deepEqual(adapter.read(later, { hash }), { readings: plain })
        equal(Buffer.compare(before, body), 0)
      }
    })

    it('have the same keys however the same JSON is written', async () => {
      for (const { body } of samples)
        for (const rewritten of rewrites(body))
          deepEqual(
            readings(rewritten).map(({ dedupeKey, lane }) => [dedupeKey, lane]),
            readings(body).map(({ dedupeKey, lane }) => [dedupeKey, lane]),
          )
    })

    it('keep addresses out of everything that is kept for ever', async () => {
      for (const { body } of samples) {
        const addresses = new TextDecoder().decode(body).match(/[\w.+-]+@[\w.-]+\.\w+/g) ?? []
        const kept = JSON.stringify(readings(body).map(({ unreadable: _, ...reading }) => reading))
        for (const address of addresses) ok(!kept.includes(address), 'an address is part of a key or an id')
      }
    })

    it('of bytes that make no sense say so, each under a key of its own', async () => {
      const keys = [Buffer.alloc(0), Buffer.from('no sense'), Buffer.from([0xff, 0xfe])].map(body => {
        const [reading, ...more] = readings(body)
        equal(more.length, 0)
        ok(reading?.unreadable)
        equal(reading.type, null)
        notEqual(reading.dedupeKey, null)
        return reading.dedupeKey
      })
      equal(new Set(keys).size, 3)
    })
  })
}

/** The same value in other bytes: spaced, and with its keys the other way round. */
function rewrites(body: Uint8Array): Uint8Array[] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    return [JSON.stringify(value, null, 2), JSON.stringify(reversed(value))].map(text => Buffer.from(text))
  } catch {
    return []
  }
}

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, reversed(item)]),
  )
}
