import { doNotRetry, isBookingWebhooksError, retryAfter, tellFailure } from '@booking-webhooks/core'
import { expect } from 'chai'

describe('an error of a callback', () => {
  it('may ask not to be tried again before a time', () => {
    const error = retryAfter(2_000, 'The calendar is busy.')
    expect(tellFailure(error)).to.deep.equal({ retry: 2_000 })
    expect(isBookingWebhooksError(error, 'TELL_FAILED')).to.equal(true)
  })

  it('may say that no attempt can succeed', () => {
    expect(tellFailure(doNotRetry('The calendar is gone.'))).to.deep.equal({ retry: 'never' })
  })

  it('is understood by its shape, from any copy of the library', () => {
    expect(tellFailure(Object.assign(new Error('busy'), { tell: { retry: 5 } }))).to.deep.equal({ retry: 5 })
  })

  for (const tell of [null, {}, 'never', { retry: -1 }, { retry: 'soon' }])
    it(`is retried with back-off where it says nothing usable: ${JSON.stringify(tell)}`, () => {
      expect(tellFailure(Object.assign(new Error('failed'), { tell }))).to.deep.equal({ retry: 'backoff' })
    })

  it('is retried with back-off where it is any other error', () => {
    expect(tellFailure(new Error('failed'))).to.deep.equal({ retry: 'backoff' })
    expect(tellFailure('failed')).to.deep.equal({ retry: 'backoff' })
  })
})
