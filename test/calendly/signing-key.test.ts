import { type CalendlyOptions, calendly } from '@booking-webhooks/calendly'
import { expect } from 'chai'

const K1 = 'calendly-test-key-one-not-a-secret'

const create = (signingKey: CalendlyOptions['signingKey']) => calendly({ signingKey, token: 'token' })

describe('calendly: signingKey', () => {
  it('is required, in a sentence that names its variable', () => {
    const sentence = 'calendly({ signingKey }) is required. Is CALENDLY_SIGNING_KEY set?'
    expect(() => create(undefined))
      .to.throw(sentence)
      .with.property('code', 'INVALID_OPTION')
    expect(() => calendly(undefined as never)).to.throw(sentence)
    expect(() => create('')).to.throw('calendly({ signingKey }) is empty. Is CALENDLY_SIGNING_KEY set?')
  })

  it('refuses a pasted line break and what was copied from the header', () => {
    expect(() => create(`${K1}\n`)).to.throw('white space')
    for (const key of [`t=1790000000,v1=${'0'.repeat(64)}`, `v1=${'0'.repeat(64)}`, `x,v1=${'0'.repeat(64)}`])
      expect(() => create([K1, key])).to.throw('Calendly-Webhook-Signature')
  })

  it('warns of what is hardly a key, without repeating it', () => {
    for (const key of ['eyJhbGciOiJIUzI1NiJ9.e30', 'https://hooks.example.com/', 'k3y']) {
      const { warnings } = create([key, K1, key])
      expect(warnings).to.have.length(1)
      expect(warnings?.[0]).to.contain('calendly({ signingKey }) may be wrong').and.not.contain(key)
    }
    expect(create(K1).warnings).to.deep.equal([])
  })

  it('belongs to an account', async () => {
    const adapter = create({ acme: K1 })
    expect(await adapter.keys('acme')).to.deep.equal([K1])
    expect(await adapter.keys('default')).to.equal(null)
  })
})
