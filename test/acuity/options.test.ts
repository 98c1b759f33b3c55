import { type AcuityOptions, acuity } from '@booking-webhooks/acuity'
import { isBookingWebhooksError } from '@booking-webhooks/core'
import { expect } from 'chai'
import { appointment } from './interpreted.js'
import { poke, stored } from './requests.js'

describe('acuity(): its options', () => {
  const wrong: [title: string, options: Partial<AcuityOptions>, message: RegExp][] = [
    ['no key', { apiKey: undefined }, /^acuity\(\{ apiKey \}\) is required\. Is ACUITY_API_KEY set\?$/],
    ['an empty key', { apiKey: '' }, /ACUITY_API_KEY/],
    ['an empty user', { userId: '' }, /ACUITY_USER_ID/],
    ['a user that is no number', { userId: 'ada@example.com' }, /userId/],
    ['both kinds of credentials', { userId: '1', getToken: () => 'x' }, /userId, getToken/],
    ['no URL', { apiUrl: 'acuityscheduling.com' }, /apiUrl/],
    ['a URL with a query', { apiUrl: 'https://example.com/v1?x=1' }, /apiUrl/],
    ['no rate', { requestsPerSecond: 0 }, /requestsPerSecond/],
    ['no time', { timeoutMs: Number.NaN }, /timeoutMs/],
    ['a day that does not exist', { since: '2027-02-30T00:00:00Z' }, /since/],
    ['an invalid date', { since: new Date('x') }, /since/],
  ]
  for (const [title, options, message] of wrong)
    it(`refuse ${title}, and name the option`, () => {
      const make = () => acuity({ apiKey: 'test-key-1', ...options })
      expect(make).to.throw(message)
      try {
        make()
      } catch (error) {
        expect(isBookingWebhooksError(error, 'INVALID_OPTION')).to.equal(true)
        expect((error as Error).message).to.not.contain('ada@')
      }
    })

  it('refuse to be left out', () => {
    expect(() => acuity(undefined as unknown as AcuityOptions)).to.throw(/apiKey.*ACUITY_API_KEY/)
  })

  it('warn of what is impossible without credentials for the API', () => {
    const [warning] = acuity({ apiKey: 'test-key-1' }).warnings ?? []
    expect(warning).to.contain('ACUITY_USER_ID').and.not.contain('test-key-1')
    expect(acuity({ apiKey: 'test-key-1', userId: '1000001' }).warnings).to.deep.equal([])
    expect(acuity({ apiKey: 'test-key-1', getToken: () => 'x' }).warnings).to.deep.equal([])
  })

  it('let `since` say from when on appointments are new', () => {
    const kindSince = (since: Date | string) => {
      const adapter = acuity({ apiKey: 'test-key-1', userId: '1000001', since })
      const [one] = adapter.interpret(stored(poke('changed')), appointment(), null, {
        connectedUs: Number.MAX_SAFE_INTEGER,
        hash: text => text,
      })
      return 'fact' in one && one.fact.kind
    }
    expect(kindSince('2027-03-01T15:04:05+01:00')).to.equal('created')
    expect(kindSince(new Date('2027-03-01T14:04:06Z'))).to.equal('updated')
  })
})
