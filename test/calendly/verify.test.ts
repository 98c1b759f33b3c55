import { calendly } from '@booking-webhooks/calendly'
import { isBookingWebhooksError } from '@booking-webhooks/core'
import { expect } from 'chai'
import fc from 'fast-check'

const K1 = 'calendly-test-key-one-not-a-secret'
const K2 = 'Y2FsZW5kbHktdGVzdC1rZXktdHdv'
const t = 1_790_000_000
const body1 = '{"event":"invitee.created","created_at":"2026-09-21T14:13:20.000000Z"}'
const body2 = String.raw`{"a":"IT \u0026 Software"}`
const V = '15ee9fcc300d5f388b2b63565a77fd8efa9b00fc5051af64c19b0d4f5c0246d5'

interface Attempt {
  header?: string | null
  body?: string
  keys?: readonly string[]
  at?: number
  tolerance?: { pastSeconds?: number; futureSeconds?: number }
  isMessage?: boolean
}

/** The index of the key that fitted, or the code of the error, or its message. */
async function verdict(attempt: Attempt) {
  const {
    header = `t=${t},v1=${V}`,
    body = body1,
    keys = [K1],
    at = t,
    tolerance,
    isMessage = false,
  } = attempt
  const adapter = calendly({ signingKey: K1, tolerance })
  const headers = new Headers(header === null ? {} : { 'calendly-webhook-signature': header })
  const receivedAt = new Date(at * 1000)
  const request = {
    method: 'POST',
    publicUrl: null,
    headers,
    body: Buffer.from(body),
    receivedAt,
    account: 'default',
  }
  try {
    const verified = await adapter.verify(request, { keys, now: receivedAt })
    expect(verified.authenticated).to.equal('signature')
    return verified.keyIndex
  } catch (error) {
    if (!isBookingWebhooksError(error)) throw error
    for (const secret of [...keys, body]) if (secret) expect(error.message).to.not.contain(secret)
    return isMessage ? error.message : error.code
  }
}

describe('calendly: verify', () => {
  const vectors: [name: string, key: string, body: string, signature: string][] = [
    ['1', K1, body1, V],
    [
      '2, an escaped ampersand',
      K1,
      body2,
      '269735ac6940b6744f5ef272afb5aa14a64ad0a896fd2b0d6f2cb8c7a338098b',
    ],
    [
      '3, a number written 50.0',
      K1,
      '{"payment":{"amount":50.0}}',
      '5da86bddd1303096602ee028848b94e20cfad3ed281caaaabe62880b9f25acfc',
    ],
    ['4, UTF-8', K1, '{"name":"Zoë"}', 'fd988ba114bba7ea93644f8673b98c06a15d84a03c093566c932ad5ef6f15818'],
    [
      '5, a line break at the end',
      K1,
      `${body1}\n`,
      '4ddecef79e41781a1a4d3f8db31f77351bd896b561a2c7db39805a26b1d76b50',
    ],
    [
      '6, a key that is base64 by chance',
      K2,
      body1,
      '983b0c9c3a021928a6721626b61aac31c3987d393613067f3f5fdec3cc637569',
    ],
    ['7, nothing', K1, '', '32522aeb5ef3051fdad6d7f9cbd9e785969d8b7b354b29091c858bc9345d8005'],
  ]
  for (const [name, key, body, signature] of vectors)
    it(`accepts vector ${name}`, async () => {
      expect(await verdict({ header: `t=${t},v1=${signature}`, body, keys: [key] })).to.equal(0)
    })

  it('refuses what others sign', async () => {
    const withoutTime = 'bfc2ceafb466e4bbcd9267e78fe71f3d86f1ab18d7630b4c331e72cbdb848b17'
    const decodedKey = '8ef72dd1cd704af2cdb2768dc3d28b56fdf1f6cf8b39144934248610864cc77a'
    const reserialized = 'bac724d662e5cf3c6976e5ba201a1605d0ec67032d2a6b186d2ea95474a6ebae'
    const wrong = 'SIGNATURE_MISMATCH'
    expect(await verdict({ header: `t=${t},v1=${withoutTime}` })).to.equal(wrong)
    expect(await verdict({ header: `t=${t},v1=${decodedKey}`, keys: [K2] })).to.equal(wrong)
    expect(await verdict({ header: `t=${t},v1=${reserialized}`, body: body2 })).to.equal(wrong)
    expect(await verdict({ header: `t=0${t},v1=${V}` })).to.equal(wrong)
    expect(await verdict({ keys: [] })).to.equal(wrong)
  })

  const accepted = [
    `t=${t},v1=${V}`,
    `v1=${V},t=${t}`,
    `t=${t}, v1=${V}`,
    ` t = ${t} , v1 = ${V} `,
    `t=${t},v0=x,v1=${V}`,
    `t=${t},v1=${'0'.repeat(64)},v1=${V}`,
    `t=${t},v1=${V.toUpperCase()}`,
    `t=${t},${`v1=${'0'.repeat(64)},`.repeat(4)}v1=${V}`,
    `t=${t},v1=${V},,a`,
  ]
  for (const header of accepted)
    it(`accepts the header ${JSON.stringify(header.replaceAll(V, 'V')).slice(0, 60)}`, async () => {
      expect(await verdict({ header })).to.equal(0)
    })

  const malformed = [
    '',
    V,
    `sha256=${V}`,
    `t=${t}`,
    `v1=${V}`,
    `t=${t},t=${t},v1=${V}`,
    `t=,v1=${V}`,
    `t=-1,v1=${V}`,
    `t=${t}.0,v1=${V}`,
    `t=${t}000,v1=${V}`,
    `t=+${t},v1=${V}`,
    `t=١٧٩,v1=${V}`,
    `t=${t},v1=${V.slice(1)}`,
    `t=${t},v1=${V}0`,
    `t=${t},v1=Fe6fzDANXziLK2NWWnf9jvqbAPxQUa9kwZsNT1wCRtU=`,
    `t=${t},v1=${V},v1=short`,
    `t=${t},v1=${V}, t=${t},v1=${V}`,
    `t=${t}${`,v1=${V}`.repeat(6)}`,
    `t=${t},v1=${V},x=${'y'.repeat(1_024)}`,
  ]
  for (const header of malformed)
    it(`calls the header ${JSON.stringify(header.replaceAll(V, 'V')).slice(0, 60)} malformed`, async () => {
      expect(await verdict({ header: Buffer.from(header).toString('latin1') })).to.equal(
        'SIGNATURE_MALFORMED',
      )
    })

  it('tells a missing header from an empty one', async () => {
    expect(await verdict({ header: null })).to.equal('SIGNATURE_MISSING')
  })

  it('tries every key and says which one fitted', async () => {
    expect(await verdict({ keys: [K2, K1] })).to.equal(1)
    expect(await verdict({ keys: [K2] })).to.equal('SIGNATURE_MISMATCH')
  })

  it('takes signatures of 25 hours ago to 5 minutes ahead, bounds included', async () => {
    expect(await verdict({ at: t + 23 * 3_600 })).to.equal(0)
    expect(await verdict({ at: t + 90_000 })).to.equal(0)
    expect(await verdict({ at: t + 90_001 })).to.equal('SIGNATURE_TOO_OLD')
    expect(await verdict({ at: t - 300 })).to.equal(0)
    expect(await verdict({ at: t - 301 })).to.equal('SIGNATURE_IN_FUTURE')
  })

  it('takes the tolerance that is set, each part on its own', async () => {
    expect(await verdict({ at: t + 180, tolerance: { pastSeconds: 180 } })).to.equal(0)
    expect(await verdict({ at: t + 181, tolerance: { pastSeconds: 180 } })).to.equal('SIGNATURE_TOO_OLD')
    expect(await verdict({ at: t - 300, tolerance: { pastSeconds: 180 } })).to.equal(0)
    expect(await verdict({ at: 4e9, tolerance: { pastSeconds: Infinity } })).to.equal(0)
    expect(await verdict({ at: 0, tolerance: { futureSeconds: Infinity } })).to.equal(0)
    expect(await verdict({ at: t + 181, tolerance: { pastSeconds: undefined } })).to.equal(0)
    for (const seconds of [-1, Number.NaN, '180' as never])
      expect(() => calendly({ signingKey: K1, tolerance: { pastSeconds: seconds } }))
        .to.throw('tolerance: { pastSeconds }')
        .with.property('code', 'INVALID_OPTION')
  })

  it('takes what is on a bound, and nothing that is over it by a second or a millisecond', async () => {
    for (const [pastSeconds, futureSeconds] of [
      [180, 60],
      [0, 0],
    ] as const) {
      const tolerance = { pastSeconds, futureSeconds }
      expect(await verdict({ at: t + pastSeconds, tolerance })).to.equal(0)
      expect(await verdict({ at: t - futureSeconds, tolerance })).to.equal(0)
      for (const over of [0.001, 1]) {
        const [late, early] = [t + pastSeconds + over, t - futureSeconds - over]
        expect(await verdict({ at: late, tolerance })).to.equal('SIGNATURE_TOO_OLD')
        expect(await verdict({ at: early, tolerance })).to.equal('SIGNATURE_IN_FUTURE')
      }
    }
  })

  it('says of what is over a bound by less than a second that it is over', async () => {
    const said = async (at: number) => {
      const message = await verdict({
        at,
        tolerance: { pastSeconds: 180, futureSeconds: 60 },
        isMessage: true,
      })
      return /^Signed \d+ s \w+/.exec(String(message))?.[0]
    }
    expect(await said(t + 180.2)).to.equal('Signed 181 s ago')
    expect(await said(t - 60.2)).to.equal('Signed 61 s ahead')
  })

  it('judges the time last, so that a wrong key is told from a wrong clock', async () => {
    expect(await verdict({ at: 0, keys: [K2] })).to.equal('SIGNATURE_MISMATCH')
  })

  it('accepts no other header, whatever it is made of', async () => {
    const part = fc.constantFrom('t=', 'v1=', ',', ' ', `${t}`, V, 'v1', '=', 't', '0', 'é', '\t')
    const header = fc.oneof(
      fc.array(part, { maxLength: 12 }).map(parts => parts.join('')),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(header, async text => {
        fc.pre(!/[^\t\x20-\x7e\x80-\xff]/.test(text))
        const result = await verdict({ header: text })
        const isRight = /(^|,)\s*t\s*=\s*1790000000\s*(,|$)/.test(text) && text.includes(V)
        if (!isRight) expect(result).to.be.oneOf(['SIGNATURE_MALFORMED', 'SIGNATURE_MISMATCH'])
      }),
      { numRuns: 300 },
    )
  })
})
