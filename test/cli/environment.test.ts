import {
  databaseFrom,
  type Environment,
  forwardFrom,
  providersFrom,
  readKeys,
} from '@booking-webhooks/cli/environment'
import { expect } from 'chai'

const signingKey = { CALENDLY_SIGNING_KEY: 'a-key-of-calendly-s' }
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** The message of the INVALID_OPTION that this throws. */
function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    expect(error).to.have.property('code', 'INVALID_OPTION')
    return (error as Error).message
  }
  throw new Error('It was not refused.')
}

describe('the environment', () => {
  const connected = (environment: Environment) => providersFrom(environment).map(({ provider }) => provider)

  it('connects each provider whose key is set', () => {
    expect(connected(signingKey)).to.deep.equal(['calendly'])
    expect(
      connected({
        ...signingKey,
        CALCOM_WEBHOOK_SECRET: 'a-secret-of-cal-com-s',
        ACUITY_API_KEY: 'an-api-key',
      }),
    ).to.deep.equal(['calendly', 'calcom', 'acuity'])
  })

  it('takes several keys, with blanks round the commas', async () => {
    const keys = 'the-old-key-of-ours , the-new-key-of-ours\n'
    const [adapter] = providersFrom({ CALENDLY_SIGNING_KEY: keys })
    expect(await adapter?.keys('default')).to.deep.equal(['the-old-key-of-ours', 'the-new-key-of-ours'])
  })

  for (const empty of ['', ' ', 'a-key,', ',a-key', 'a-key,,another'])
    it(`refuses an empty key: ${JSON.stringify(empty)}`, () => {
      expect(refusal(() => readKeys({ CALENDLY_SIGNING_KEY: empty }, 'CALENDLY_SIGNING_KEY'))).to.match(
        /^CALENDLY_SIGNING_KEY .*empty/,
      )
      expect(refusal(() => providersFrom({ ...signingKey, ACUITY_API_KEY: empty }))).to.contain(
        'ACUITY_API_KEY',
      )
    })

  it('names the variables where no provider is set', () => {
    expect(refusal(() => providersFrom({}))).to.match(
      /CALENDLY_SIGNING_KEY, CALCOM_WEBHOOK_SECRET or ACUITY_API_KEY/,
    )
  })

  for (const [orphan, key] of [
    ['CALENDLY_API_TOKEN', 'CALENDLY_SIGNING_KEY'],
    ['CALCOM_API_KEY', 'CALCOM_WEBHOOK_SECRET'],
    ['ACUITY_USER_ID', 'ACUITY_API_KEY'],
  ])
    it(`says that ${key} is missing beside ${orphan}`, () => {
      expect(refusal(() => providersFrom({ [orphan]: '1' }))).to.match(new RegExp(`Set ${key}`))
    })

  it('never shows a value', () => {
    const environment = { CALENDLY_SIGNING_KEY: 't=1,v1=hush', FORWARD_SECRET: 'hush', DATABASE_URL: '' }
    for (const work of [providersFrom, databaseFrom, forwardFrom])
      expect(refusal(() => work(environment))).not.to.contain('hush')
  })

  it('asks each API where its base URL says', () => {
    for (const [provider, wrong] of [
      ['calendly', { ...signingKey, CALENDLY_API_URL: 'nowhere', CALENDLY_API_TOKEN: 'token' }],
      ['calcom', { CALCOM_WEBHOOK_SECRET: 'a-secret', CALCOM_API_URL: 'nowhere', CALCOM_API_KEY: 'a-key' }],
      ['acuity', { ACUITY_API_KEY: 'an-api-key', ACUITY_API_URL: 'nowhere', ACUITY_USER_ID: '1000001' }],
    ] as const)
      expect(refusal(() => providersFrom(wrong))).to.contain(`${provider}({ apiUrl`)
  })

  it('keeps events in a file of the working directory, but not in production', () => {
    expect(databaseFrom({})).to.equal('./booking-webhooks.db')
    expect(databaseFrom({ DATABASE_URL: 'postgres://db/app', NODE_ENV: 'production' })).to.equal(
      'postgres://db/app',
    )
    expect(databaseFrom({ DATABASE_URL: ' ledger.db\n' })).to.equal('ledger.db')
    expect(refusal(() => databaseFrom({ NODE_ENV: 'production' }))).to.contain('DATABASE_URL')
    expect(refusal(() => databaseFrom({ DATABASE_URL: '' }))).to.contain('DATABASE_URL')
  })

  it('forwards only where a target and a secret in the right form are set', () => {
    const FORWARD_URL = 'https://example.com/hook'
    expect(forwardFrom({})).to.equal(null)
    expect(forwardFrom({ FORWARD_SECRET: secret })).to.equal(null)
    expect(forwardFrom({ FORWARD_URL, FORWARD_SECRET: secret })).to.include({ timeoutMs: 15_000 })
    expect(refusal(() => forwardFrom({ FORWARD_URL }))).to.contain('FORWARD_SECRET')
    expect(refusal(() => forwardFrom({ FORWARD_URL, FORWARD_SECRET: 'plain' }))).to.contain('whsec_')
    expect(refusal(() => forwardFrom({ FORWARD_SECRET: 'plain' }))).to.contain('whsec_')
  })
})
