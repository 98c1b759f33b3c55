import { deepEqual, equal, fail, ok } from 'node:assert/strict'
import { inspect } from 'node:util'
import { type ErrorCode, isBookingWebhooksError } from '@booking-webhooks/core'
import type { Bench } from '../adapter-contract.js'
import type { TestFunctions } from '../test-functions.js'

const refusals: readonly ErrorCode[] = ['SIGNATURE_MISSING', 'SIGNATURE_MALFORMED', 'SIGNATURE_MISMATCH']
const otherKey = 'another-key-of-this-account'

/** Who gets in. */
export function signaturesContract({ describe, it }: TestFunctions, bench: Bench): void {
  const { adapter, key, sign, samples, now, request } = bench

  /** The index of the key that fitted, or the code of the refusal, which must tell nothing. */
  async function verdict(body: Uint8Array, headers: Record<string, string>, keys: readonly string[]) {
    try {
      return (await adapter.verify(request(body, headers), { keys, now })).keyIndex
    } catch (error) {
      if (!isBookingWebhooksError(error)) throw error
      const text = new TextDecoder().decode(body)
      for (const told of [...keys, ...Object.values(headers), text])
        ok(
          told.length < 8 || !error.message.includes(told),
          `the message repeats what was sent: ${error.code}`,
        )
      return error.code
    }
  }

  async function refuses(body: Uint8Array, headers: Record<string, string>, keys: readonly string[] = [key]) {
    const code = await verdict(body, headers, keys)
    if (typeof code === 'number') fail(`it let in ${inspect(headers)}`)
    ok(refusals.includes(code), code)
    return code
  }

  describe('signatures', () => {
    it('lets in what is signed with any of the keys, and says which', async () => {
      for (const { body } of samples) {
        equal(await verdict(body, sign(body, key, now), [key]), 0)
        equal(await verdict(body, sign(body, key, now), [otherKey, key]), 1)
        equal(await verdict(body, sign(body, otherKey, now), [key, otherKey]), 1)
      }
    })

    it('signs off any bytes, also what is empty, no text or no format of the provider', async () => {
      for (const body of [Buffer.alloc(0), Buffer.from([0xff, 0, 0x80]), Buffer.from('\ufeff{"a": 50.0}\n')])
        equal(await verdict(body, sign(body, key, now), [key]), 0)
    })

    it('covers every byte', async () => {
      const [{ body } = { body: Buffer.from('{}') }] = samples
      const headers = sign(body, key, now)
      for (const changed of [
        Buffer.concat([body, Buffer.from('\n')]),
        body.subarray(1),
        body.subarray(0, -1),
      ])
        equal(await refuses(changed, headers), 'SIGNATURE_MISMATCH')
      for (let at = 0; at < body.length; at += Math.ceil(body.length / 40)) {
        const changed = Buffer.from(body)
        changed[at] = (changed[at] ?? 0) ^ 1
        equal(await refuses(changed, headers), 'SIGNATURE_MISMATCH')
      }
    })

    it('refuses another key, and everything where there is none', async () => {
      for (const { body } of samples) {
        equal(await refuses(body, sign(body, otherKey, now)), 'SIGNATURE_MISMATCH')
        equal(await refuses(body, sign(body, key, now), []), 'SIGNATURE_MISMATCH')
        equal(await refuses(body, sign(body, '', now)), 'SIGNATURE_MISMATCH')
      }
    })

    it('refuses what has no signature', async () => {
      for (const { body } of samples) equal(await refuses(body, {}), 'SIGNATURE_MISSING')
    })

    it('refuses mangled headers', async () => {
      const [{ body } = { body: Buffer.from('{}') }] = samples
      const headers = sign(body, key, now)
      for (const [name, value] of Object.entries(headers)) {
        if (name === 'content-type') continue
        for (const mangled of mangle(value)) await refuses(body, { ...headers, [name]: mangled })
      }
    })

    it('takes no notice of any other header', async () => {
      for (const { body } of samples) {
        const noise = {
          'content-type': 'text/plain',
          'x-forwarded-for': '10.0.0.1',
          authorization: 'Basic eDp5',
        }
        equal(await verdict(body, { ...sign(body, key, now), ...noise }, [key]), 0)
      }
    })

    it('knows the key of its account and of no other', async () => {
      deepEqual(await adapter.keys('default'), [key])
      for (const account of ['nobody', '__proto__', 'constructor', ''])
        equal(await adapter.keys(account), null)
      ok(!inspect(adapter, { depth: 5 }).includes(key), 'the adapter shows its key')
    })
  })
}

function mangle(value: string): string[] {
  const longer = value.padEnd(64, '0')
  return [
    '',
    ' ',
    'x',
    '0'.repeat(64),
    longer.slice(0, Math.floor(value.length / 2)),
    longer.slice(0, -1),
    longer.slice(1),
    `${value}0`,
    `${value}, ${value}`,
    `sha256=${value}`,
    Buffer.from(value).toString('base64'),
    [...value].reverse().join(''),
    'x'.repeat(10_000),
  ]
}
