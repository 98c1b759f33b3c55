import { createHash } from 'node:crypto'
import { type AdapterUnderTest, adapterContract } from '@booking-webhooks/conformance'
import {
  type Adapter,
  hmacSha256,
  type InterpretedFact,
  type Reading,
  signatureError,
} from '@booking-webhooks/core'
import { expect } from 'chai'
import { acme } from '../examples/acme.js'

const key = 'acme-test-key-not-a-secret'
const body = (type: string, n: number, id = 'B1') =>
  Buffer.from(
    JSON.stringify({
      id: `event_${n}`,
      type,
      occurred_at: '2026-10-12T15:04:05Z',
      booking: { id, starts_at: '2026-10-14T21:00:00Z', room: 'R1', summary: 'ann@example.com' },
    }),
  )

const right: AdapterUnderTest = {
  adapter: acme({ secret: key }),
  key,
  sign: (bytes, signingKey) => ({
    'content-type': 'application/json',
    'acme-signature': `sha256=${Buffer.from(hmacSha256(signingKey, bytes)).toString('hex').toUpperCase()}`,
  }),
  samples: [
    { title: 'a booking', body: body('booking.made', 1) },
    { title: 'its cancel', body: body('booking.dropped', 2) },
    { title: 'something else', body: body('booking.praised', 3) },
  ],
}

adapterContract({ describe, it }, right)

describe('adapterContract', () => {
  const defects: [what: string, broken: Adapter][] = [
    ['lets everyone in', { ...right.adapter, verify: () => ({ keyIndex: 0, authenticated: 'none' }) }],
    [
      'looks at the first key alone',
      withVerify((request, { keys, now }) => right.adapter.verify(request, { keys: keys.slice(0, 1), now })),
    ],
    [
      'crashes where there is no header',
      withVerify((request, context) => {
        if (!request.headers.get('acme-signature')!.length) throw new TypeError()
        return right.adapter.verify(request, context)
      }),
    ],
    [
      'repeats the header in its error',
      withVerify(async (request, context) => {
        try {
          return await right.adapter.verify(request, context)
        } catch {
          throw signatureError('SIGNATURE_MISMATCH', `${request.headers.get('acme-signature')} is wrong`)
        }
      }),
    ],
    [
      'verifies text instead of bytes',
      withVerify((request, context) =>
        right.adapter.verify(
          { ...request, body: Buffer.from(new TextDecoder().decode(request.body)) },
          context,
        ),
      ),
    ],
    ['shows its key', Object.assign({ ...right.adapter }, { settings: { key } })],
    ['has one key for every account', { ...right.adapter, keys: () => [key] }],
    [
      'builds keys from the bytes',
      withReading((reading, bytes) => ({
        ...reading,
        dedupeKey: createHash('sha256').update(bytes).digest('hex'),
      })),
    ],
    ['builds keys from the booking', withReading(reading => ({ ...reading, dedupeKey: reading.bookingId }))],
    [
      'builds keys from the time of arrival',
      {
        ...right.adapter,
        read: (request, context) =>
          read(request, context, reading => ({
            ...reading,
            dedupeKey: `${reading.dedupeKey}:${request.receivedAt.getTime()}`,
          })),
      },
    ],
    [
      'puts an address into its keys',
      withReading(reading => ({
        ...reading,
        dedupeKey: `${reading.dedupeKey}:ann@example.com`,
      })),
    ],
    [
      'drops what it cannot read',
      {
        ...right.adapter,
        read: (request, context) => {
          const { readings } = read(request, context, reading => reading)
          return { readings: readings.filter(reading => reading.unreadable === null) }
        },
      },
    ],
    [
      'crashes on bytes that are no JSON',
      withReading((reading, bytes) => {
        JSON.parse(bytes.toString())
        return reading
      }),
    ],
    [
      'crashes on a body of another shape',
      withReading((reading, bytes) => {
        if (reading.unreadable === null) JSON.parse(Buffer.from(bytes).toString()).booking.summary.trim()
        return reading
      }),
    ],
    [
      'takes any id',
      withReading((reading, bytes) => {
        if (reading.unreadable !== null) return reading
        return { ...reading, bookingId: JSON.parse(Buffer.from(bytes).toString()).booking?.id ?? null }
      }),
    ],
    ['writes absent values as ""', withFact(fact => ({ ...fact, details: { booking: { title: '' } } }))],
    ['lets times be NaN', withFact(fact => ({ ...fact, startsUs: Number.NaN }))],
    [
      'hands out what is no JSON',
      withFact(fact => ({ ...fact, details: { booking: { title: new Date() as never } } })),
    ],
    ['names one resource twice', withFact(fact => ({ ...fact, resources: ['R1', 'R1'] }))],
    ['replaces a booking by itself', withFact(fact => ({ ...fact, previous: fact.target }))],
    ['tells of another booking', withFact(fact => ({ ...fact, target: { kind: 'booking', id: 'B2' } }))],
    [
      'counts',
      withFact(
        (() => {
          let count = 0
          return fact => ({ ...fact, endsUs: count++ })
        })(),
      ),
    ],
    ['tells nothing', { ...right.adapter, interpret: () => [] }],
    [
      'forgets the key',
      {
        ...right.adapter,
        interpret: (...all) => right.adapter.interpret(...all).map(event => ({ ...event, key: 'x' })),
      },
    ],
  ]

  for (const [what, broken] of defects)
    it(`finds an adapter that ${what}`, async () => {
      expect(await failures({ ...right, adapter: broken })).to.not.be.empty
    })

  it('finds nothing wrong where nothing is', async () => {
    expect(await failures(right)).to.be.empty
  })
})

/** The titles of the tests that fail. */
async function failures(under: AdapterUnderTest): Promise<string[]> {
  const tests: [title: string, test: () => Promise<void>][] = []
  adapterContract(
    { describe: (_title, define) => define(), it: (title, test) => tests.push([title, test]) },
    under,
  )
  const failed: string[] = []
  for (const [title, test] of tests) await test().catch(() => failed.push(title))
  return failed
}

function withVerify(verify: Adapter['verify']): Adapter {
  return { ...right.adapter, verify: async (request, context) => verify(request, context) }
}

function withReading(change: (reading: Reading, body: Uint8Array) => Reading): Adapter {
  return {
    ...right.adapter,
    read: (request, context) => read(request, context, reading => change(reading, request.body)),
  }
}

function read(
  request: Parameters<Adapter['read']>[0],
  context: Parameters<Adapter['read']>[1],
  change: (reading: Reading) => Reading,
): { readings: Reading[] } {
  const found = right.adapter.read(request, context)
  return { readings: 'readings' in found ? found.readings.map(change) : [] }
}

function withFact(change: (fact: InterpretedFact['fact']) => InterpretedFact['fact']): Adapter {
  return {
    ...right.adapter,
    interpret: (...all) =>
      right.adapter
        .interpret(...all)
        .map(event => ('fact' in event ? { ...event, fact: change(event.fact) } : event)),
  }
}
