import { equal, ok } from 'node:assert/strict'
import { parseJsonBody } from '@booking-webhooks/core'
import type { Bench } from '../adapter-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { isId } from './is-id.js'
import { problemOfJson } from './json.js'

/** Whoever can sign may send anything: a row is kept of it, and nothing breaks. */
export function hostileContract({ describe, it }: TestFunctions, bench: Bench): void {
  const { adapter, samples, asStored, hash, request } = bench

  /** Reads and interprets, and checks what must hold of the result of any bytes. */
  function survives(body: Uint8Array, snapshot: unknown = null): void {
    const read = adapter.read(request(body), { hash })
    if ('reply' in read) return
    ok(read.readings.length > 0, 'nothing would be kept')
    for (const { providerType, bookingId, meetingId, lane, dedupeKey } of read.readings) {
      ok(isId(providerType))
      for (const id of [bookingId, meetingId]) ok(id === null || isId(id))
      equal(problemOfJson([lane, dedupeKey]), null)
    }
    for (const reading of asStored(read.readings, body)) {
      adapter.needsFetch?.(reading)
      const events = adapter.interpret(reading, snapshot, null, { hash, connectedUs: 0 })
      ok(events.length > 0, 'nothing would be told')
      equal(problemOfJson(events), null)
    }
  }

  describe('hostile bytes', () => {
    it('that are no JSON, or JSON of another shape', async () => {
      for (const text of [
        '',
        ' ',
        'no',
        '{}',
        '[]',
        'null',
        'true',
        '0',
        '"x"',
        '[[]]',
        '{"a":[null]}',
        '{"a":',
      ])
        survives(Buffer.from(text))
      for (const bytes of [[0xff], [0xed, 0xa0, 0x80], [0], [0xef, 0xbb, 0xbf], [0xfe, 0xff, 0, 0x7b]])
        survives(Uint8Array.from(bytes))
    })

    it('that nest deeply or are long', async () => {
      for (const depth of [200, 50_000]) {
        survives(Buffer.from('['.repeat(depth) + ']'.repeat(depth)))
        for (const { body } of samples) survives(replaced(body, '['.repeat(depth) + ']'.repeat(depth)))
      }
      survives(Buffer.alloc(1 << 20, 'x'))
    })

    it('that break off anywhere', async () => {
      for (const { body } of samples)
        for (let length = 0; length < body.length; length += Math.ceil(body.length / 100))
          survives(body.subarray(0, length))
    })

    for (const { title, body, snapshot = null } of samples)
      it(`in the place of any value of: ${title}`, async () => {
        for (const changed of changedValues(body)) survives(changed, snapshot)
      })

    it('as what was fetched', async () => {
      for (const { body, snapshot } of samples) {
        for (const value of hostileValues) survives(body, value)
        if (snapshot === undefined) continue
        for (const changed of changedValues(Buffer.from(JSON.stringify(snapshot))))
          survives(body, fetched(changed))
      }
    })
  })
}

/** An answer of an API, read as leniently as a body. */
function fetched(bytes: Uint8Array): unknown {
  const parsed = parseJsonBody(bytes)
  return 'value' in parsed ? parsed.value : null
}

const hostileValues: readonly unknown[] = [
  null,
  '',
  ' ',
  0,
  -1,
  1e21,
  true,
  [],
  [null, 0, 'x', {}],
  {},
  { uri: {}, id: [], toString: 1 },
  'x'.repeat(300),
  'constructor',
  '__proto__',
  'control \u0007 character',
  'nul \u0000 and half a pair \ud83d',
  '9999-99-99T99:99:99Z',
]

/** The body once for each of its values and each hostile one in its place, and once without it. */
function* changedValues(body: Uint8Array): Generator<Uint8Array> {
  let root: unknown
  try {
    root = JSON.parse(Buffer.from(body).toString())
  } catch {
    return
  }
  for (const { parent, name } of places(root)) {
    const own = parent[name]
    for (const value of [...hostileValues, undefined]) {
      parent[name] = value
      yield Buffer.from(JSON.stringify(root))
    }
    parent[name] = own
  }
}

interface Place {
  parent: Record<string, unknown>
  name: string
}

function places(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const parent = value as Record<string, unknown>
  return Object.keys(parent).flatMap(name => [{ parent, name }, ...places(parent[name])])
}

/** The body with its last value replaced by text that is JSON itself. */
function replaced(body: Uint8Array, json: string): Uint8Array {
  return Buffer.from(
    Buffer.from(body)
      .toString()
      .replace(/null|"[^"]*"(?=[},\]])/, () => json),
  )
}
