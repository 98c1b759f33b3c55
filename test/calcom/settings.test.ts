import { type CalcomOptions, calcom } from '@booking-webhooks/calcom'
import { expect } from 'chai'

const secret = 'cal-test-secret'
const refused = (options: CalcomOptions) =>
  expect(() => calcom(options))
    .to.throw()
    .with.property('code', 'INVALID_OPTION')

describe('calcom: settings', () => {
  it('demands a secret, in a sentence that names its variable', () => {
    const sentence = 'calcom({ secret }) is required. Is CALCOM_WEBHOOK_SECRET set?'
    expect(() => calcom({ secret: undefined })).to.throw(sentence)
    expect(() => calcom(undefined as never)).to.throw(sentence)
    expect(() => calcom({ secret: '' })).to.throw(
      'calcom({ secret }) is empty. Is CALCOM_WEBHOOK_SECRET set?',
    )
    expect(() => calcom({ secret: [secret, '  '] })).to.throw('is empty')
    expect(() => calcom({ secret: [] })).to.throw(sentence)
  })

  it('refuses what Cal.com sends in place of a signature, and pasted white space', () => {
    expect(() => calcom({ secret: 'no-secret-provided' })).to.throw('has no secret')
    expect(() => calcom({ secret: `${secret}\n` })).to.throw('white space')
  })

  it('keeps secrets by account', async () => {
    const keys = { acme: [secret, 'older'], beta: 'another' }
    const adapter = calcom({ secret: keys })
    expect(await adapter.keys('acme')).to.deep.equal([secret, 'older'])
    expect(await adapter.keys('default')).to.equal(null)
    const asked = calcom({ secret: account => Promise.resolve(account === 'acme' ? secret : null) })
    expect(await asked.keys('acme')).to.deep.equal([secret])
    expect(await asked.keys('beta')).to.equal(null)
  })

  it('checks an empty answer of a function each time', async () => {
    const adapter = calcom({ secret: () => ' ' })
    const error = await Promise.resolve(adapter.keys('acme')).catch(one => one)
    expect(error).to.have.property('code', 'INVALID_OPTION')
  })

  it('refuses contradictions', () => {
    refused({ secret, allowUnsigned: true })
    refused({ allowUnsigned: false })
    refused({ secret, apiKey: 'cal_x', getToken: () => 'token' })
    refused({ secret, apiKey: 'cal_x', platform: { clientId: 'id', secretKey: 'key' } })
    refused({ secret, apiKey: '' })
    refused({ secret, platform: { clientId: '', secretKey: 'key' } })
    refused({ secret, apiUrl: 'api.example.com' })
    refused({ secret, apiUrl: 'https://api.example.com/v2?x=1' })
    refused({ secret, timeoutMs: 0 })
  })

  it('says what it cannot do without an API key', () => {
    expect(calcom({ secret }).warnings?.join()).to.contain('CALCOM_API_KEY')
    expect(calcom({ secret, apiKey: 'cal_x' }).warnings).to.deep.equal([])
  })
})
