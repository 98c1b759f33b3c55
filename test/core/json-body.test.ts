import { parseJsonBody } from '@booking-webhooks/core'
import { expect } from 'chai'
import fc from 'fast-check'

const parse = (text: string) => parseJsonBody(Buffer.from(text))

describe('parseJsonBody', () => {
  it('reads any JSON, with and without a byte order mark', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), value => {
        const text = JSON.stringify(value)
        const same = { value: JSON.parse(text) }
        fc.pre(!/\\u0000|__proto__|-0/.test(text))
        expect(parse(text)).to.deep.equal(same)
        expect(parse(`\ufeff${text}`)).to.deep.equal(same)
      }),
    )
  })

  it('says what is wrong with bytes that are none', () => {
    expect(parse('not json')).to.deep.equal({ problem: 'is not JSON' })
    expect(parse('')).to.deep.equal({ problem: 'is not JSON' })
    expect(parseJsonBody(Buffer.from([0x22, 0xff, 0x22]))).to.deep.equal({ problem: 'is not UTF-8' })
  })

  it('survives nesting that would break whoever writes it again', () => {
    for (const depth of [102, 100_000])
      expect(parse('['.repeat(depth) + ']'.repeat(depth))).to.have.property('problem')
    expect(parse('['.repeat(100) + ']'.repeat(100))).to.have.property('value')
    expect(parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)).to.have.property('problem')
  })

  it('replaces what databases cannot keep as text, in names too', () => {
    expect(
      parse(String.raw`{"a\u0000":["b\u0000", "\ud83d", "\udc00\ud83d", "\ud83d\ude00"]}`),
    ).to.deep.equal({
      value: { 'a\ufffd': ['b\ufffd', '\ufffd', '\ufffd\ufffd', '😀'] },
    })
  })

  it('leaves prototypes alone', () => {
    const read = parse(String.raw`{"__proto__":{"admin":true},"\u005f_proto__":{"admin":true},"a":1}`)
    expect(parse(String.raw`{"__\u0070roto__":{"admin":true},"a":"__"}`)).to.deep.equal({
      value: { a: '__' },
    })
    expect(read).to.deep.equal({ value: { a: 1 } })
    expect(Object.assign({}, (read as { value: object }).value)).to.not.have.property('admin')
  })

  it('makes numbers that JSON cannot write again null', () => {
    expect(parse('[1e999,-1e999,0.5]')).to.deep.equal({ value: [null, null, 0.5] })
    expect(parse('1.5E+400')).to.deep.equal({ value: null })
    expect(parse('{"a" :\t-2e400, "b": "1e999"}')).to.deep.equal({ value: { a: null, b: '1e999' } })
    expect(parse(`{"a":${'9'.repeat(400)}}`)).to.deep.equal({ value: { a: null } })
  })
})
