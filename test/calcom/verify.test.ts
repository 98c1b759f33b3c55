import { calcom } from '@booking-webhooks/calcom'
import { isBookingWebhooksError } from '@booking-webhooks/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { adapter, receivedAt, request } from './at.js'
import { type Example, exampleSecret, examples } from './examples.js'

/** The index of the key that fitted, or the code of the error. */
async function verdict(
  body: string | Uint8Array,
  signature: string | null,
  keys: readonly string[] = [exampleSecret],
  contentType = 'application/json',
) {
  const headers = {
    'content-type': contentType,
    ...(signature !== null && { 'x-cal-signature-256': signature }),
  }
  try {
    return (await adapter.verify(request(body, headers), { keys, now: receivedAt })).keyIndex
  } catch (error) {
    if (!isBookingWebhooksError(error)) throw error
    for (const secret of keys) expect(error.message).to.not.contain(secret)
    return error.code
  }
}

describe('calcom: verify', () => {
  for (const [name, { says, body, bytes, signature }] of Object.entries<Example>(examples))
    it(`accepts ${name} (${says})`, async () => {
      expect(Buffer.byteLength(body)).to.equal(bytes)
      expect(await verdict(body, signature)).to.equal(0)
      expect(await verdict(body, signature.toUpperCase())).to.equal(0)
    })

  const { body, signature } = examples.E1

  it('covers the bytes: one line break more, or JSON written anew, does not fit', async () => {
    expect(await verdict(`${body}\n`, signature)).to.equal('SIGNATURE_MISMATCH')
    expect(await verdict(JSON.stringify(JSON.parse(body), null, 1), signature)).to.equal('SIGNATURE_MISMATCH')
  })

  it('covers bytes, whatever the content type announces', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'nonsense'])
      expect(await verdict(body, signature, [exampleSecret], type)).to.equal(0)
  })

  it('tries all secrets and says which one fitted', async () => {
    expect(await verdict(body, signature, ['another', exampleSecret])).to.equal(1)
    expect(await verdict(body, signature, [exampleSecret, 'another'])).to.equal(0)
    expect(await verdict(body, signature, ['another', 'of account B'])).to.equal('SIGNATURE_MISMATCH')
  })

  it('never takes the header of a webhook without a secret for a signature', async () => {
    for (const keys of [[exampleSecret], ['no-secret-provided']])
      expect(await verdict(body, 'no-secret-provided', keys)).to.equal('SIGNATURE_MISSING')
  })

  it('refuses what is no signature without failing', async () => {
    expect(await verdict(body, null)).to.equal('SIGNATURE_MISSING')
    expect(await verdict(body, '')).to.equal('SIGNATURE_MISSING')
    for (const malformed of [
      signature.slice(1),
      `sha256=${signature}`,
      `${signature}, ${signature}`,
      Buffer.from(signature, 'hex').toString('base64'),
      `${signature.slice(0, 63)}g`,
      '\u00e9'.repeat(64),
    ])
      expect(await verdict(body, malformed), malformed).to.equal('SIGNATURE_MALFORMED')
  })

  it('refuses any other bytes under the same signature', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async bytes => {
        expect(await verdict(bytes, signature)).to.equal('SIGNATURE_MISMATCH')
      }),
    )
  })

  it('takes unsigned requests only where that is allowed by name, and says so', async () => {
    const open = calcom({ allowUnsigned: true })
    expect(open.warnings?.join()).to.contain('allowUnsigned')
    const keys = await open.keys('default')
    expect(keys).to.have.length(1)
    expect(await open.keys('acme')).to.equal(null)
    const unsigned = request(body, { 'x-cal-signature-256': 'no-secret-provided' })
    expect(await open.verify(unsigned, { keys: keys!, now: receivedAt })).to.include({
      authenticated: 'none',
    })
  })
})
