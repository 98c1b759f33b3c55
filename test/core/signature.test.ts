import { decodeBase64Sha256, decodeHexSha256, fittingKey, hmacSha256 } from '@booking-webhooks/core'
import { expect } from 'chai'

const body = Buffer.from('action=scheduled&id=1')
const sign = (key: string) => hmacSha256(key, body)

describe('signatures', () => {
  it('decode hex in either case and padded standard base64, and nothing else', () => {
    const bytes = Buffer.from(sign('one'))
    const hex = bytes.toString('hex')
    const base64 = bytes.toString('base64')
    expect(decodeHexSha256(hex)).to.deep.equal(bytes)
    expect(decodeHexSha256(hex.toUpperCase())).to.deep.equal(bytes)
    expect(decodeBase64Sha256(base64)).to.deep.equal(bytes)
    for (const text of ['', hex.slice(1), `${hex}0`, `${hex}\n`, `sha256=${hex}`, base64])
      expect(decodeHexSha256(text)).to.equal(null)
    for (const text of [
      '',
      base64.slice(0, -1),
      ` ${base64}`,
      `${base64}\n`,
      bytes.toString('base64url'),
      hex,
    ])
      expect(decodeBase64Sha256(text)).to.equal(null)
  })

  it('fit the first of the keys that made one of them', () => {
    const others = [Buffer.alloc(32), Buffer.alloc(3)]
    expect(fittingKey(['one', 'two'], [...others, sign('two')], sign)).to.equal(1)
    expect(fittingKey(['one', 'two', 'one'], [sign('one')], sign)).to.equal(0)
    expect(fittingKey(['one', 'two'], [...others, sign('three')], sign)).to.equal(null)
    expect(fittingKey([], [sign('one')], sign)).to.equal(null)
    expect(fittingKey(['one'], [], sign)).to.equal(null)
  })

  it('cover their parts in a row, with the key as text', () => {
    expect(hmacSha256('one', 'action=', 'scheduled&id=1')).to.deep.equal(sign('one'))
    expect(hmacSha256('b25l', body)).to.not.deep.equal(sign('one'))
  })
})
