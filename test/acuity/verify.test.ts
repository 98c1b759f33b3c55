import { acuity } from '@booking-webhooks/acuity'
import { acuitySignature } from '@booking-webhooks/acuity/testing'
import { isBookingWebhooksError } from '@booking-webhooks/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { poke, request } from './requests.js'

const adapter = acuity({ apiKey: 'test-key-1' })

/** The index of the key that fitted, or the code of the error. */
async function verdict(
  body: string | Uint8Array,
  headers: Headers,
  keys: readonly string[] = ['test-key-1'],
) {
  try {
    return (await adapter.verify(request(body, headers), { keys, now: new Date() })).keyIndex
  } catch (error) {
    if (!isBookingWebhooksError(error)) throw error
    for (const key of keys) expect(error.message).to.not.contain(key)
    return error.code
  }
}

const signed = (signature: string) => new Headers({ 'X-Acuity-Signature': signature })

describe('verify: the signature of Acuity', () => {
  const vectors: [body: string, signature: string, key?: string][] = [
    [poke('scheduled'), '6mR9x5K95EHz/kdDeOC1DVO0xWhs57XJF8RfOln1LVs='],
    [poke('scheduled'), 'xuwkTasBWlMejrIfwtkwpS6gMbtEE+PVUM7BsttGqMg=', 'test-key-2'],
    [`${poke('scheduled')}\n`, '9Wj7kGlfvk8qMYgw1zEr/T7aGTKYA/n91es3S1OffN4='],
    [poke('appointment.scheduled'), 'e8Id/JQCIyEAdFTW/KrP3bQZkq0z80zu2BRzCFD8PmU='],
    [poke('rescheduled'), '6f9WkV8UJE36R8h6XUCXWGyRtb+YTpIvuKvWrY1aKpw='],
    [poke('canceled'), 'cvLFrT7qnPwuEaaIsuwr+dxPMj7JbE3rSDBRAjl0oRE='],
    [poke('changed'), '3s1AUbpjViO/oZWMzirJkMrRVip4Vj0ytUgkyzjVDoQ='],
    ['action=order.completed&id=99', 'FJojdcV0P87E+l8kbW8vXvlw+thyecH6tpxr+jQeQeo='],
    ['action=scheduled&id=1&x=a%20b', 'bGDcN68C4nROkzBBecRwclseP5ENAeSFhHl8USoLno8='],
  ]
  for (const [body, signature, key = 'test-key-1'] of vectors)
    it(`fits ${JSON.stringify(body)} under ${key}`, async () => {
      expect(await verdict(body, signed(signature), [key])).to.equal(0)
      expect(acuitySignature(key, Buffer.from(body))).to.equal(signature)
    })

  it('covers every byte: one newline more, or the form written anew, and it fits no more', async () => {
    expect(await verdict(`${poke('scheduled')}\n`, signed(vectors[0][1]))).to.equal('SIGNATURE_MISMATCH')
    expect(await verdict('action=scheduled&id=1&x=a+b', signed(vectors[8][1]))).to.equal('SIGNATURE_MISMATCH')
  })

  it('tries every key of the account and tells which one fitted', async () => {
    const headers = signed(vectors[1][1])
    expect(await verdict(poke('scheduled'), headers, ['test-key-1', 'test-key-2', 'test-key-3'])).to.equal(1)
    expect(await verdict(poke('scheduled'), headers, ['test-key-1', 'test-key-3'])).to.equal(
      'SIGNATURE_MISMATCH',
    )
  })

  it('refuses a header that is missing, empty, sent twice or written in another way', async () => {
    const raw = Buffer.from(vectors[0][1], 'base64')
    const base64url = raw.toString('base64url')
    const twice = signed(vectors[0][1])
    twice.append('x-acuity-signature', vectors[0][1])
    const cases: [Headers, string][] = [
      [new Headers(), 'SIGNATURE_MISSING'],
      [signed(''), 'SIGNATURE_MISSING'],
      [twice, 'SIGNATURE_MALFORMED'],
      [signed(raw.toString('hex')), 'SIGNATURE_MALFORMED'],
      [signed(base64url), 'SIGNATURE_MALFORMED'],
      [signed(`${base64url}=`), 'SIGNATURE_MALFORMED'],
      [signed(`sha256=${vectors[0][1]}`), 'SIGNATURE_MALFORMED'],
      [signed(vectors[0][1].slice(0, -1)), 'SIGNATURE_MALFORMED'],
      [signed(Buffer.alloc(32).toString('base64')), 'SIGNATURE_MISMATCH'],
    ]
    for (const [headers, code] of cases) expect(await verdict(poke('scheduled'), headers)).to.equal(code)
  })

  it('decodes what a Lambda event holds in base64 to the bytes that were signed', async () => {
    const event = { isBase64Encoded: true, body: Buffer.from(poke('scheduled')).toString('base64') }
    expect(await verdict(Buffer.from(event.body, 'base64'), signed(vectors[0][1]))).to.equal(0)
    expect(await verdict(event.body, signed(vectors[0][1]))).to.equal('SIGNATURE_MISMATCH')
  })

  it('never takes any bytes under any header that were not signed', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array(), fc.string(), async (body, header) => {
        const headers = new Headers({ 'x-acuity-signature': header.replace(/[^\x20-\x7e]/g, '?') })
        expect(await verdict(body, headers)).to.match(/^SIGNATURE_/)
      }),
    ))
})
