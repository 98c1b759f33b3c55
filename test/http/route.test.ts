import { bookingWebhooks } from '@booking-webhooks/core/fetch'
import { expect } from 'chai'
import fc from 'fast-check'
import { ground } from './support/ground.js'

/** Doors share the route: what holds for one of them holds for all. */
function asked(providers: string[]) {
  const seen: string[] = []
  const webhooks = bookingWebhooks({
    ...ground().inbox,
    providers,
    async start() {},
    async receive(provider, { account }) {
      seen.push(`${provider} ${account}`)
      return { status: 200, headers: {}, body: '' }
    },
  })
  return async (path: string): Promise<string | undefined> => {
    const { status } = await webhooks(new Request(`http://localhost${path}`, { method: 'POST' }))
    return status === 404 ? undefined : seen.pop()
  }
}

describe('the route below the mount', () => {
  it('names every account that a path can spell', async () => {
    const ask = asked(['small', 'big'])
    const account = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter(
        text => !/\p{Cc}/u.test(text) && text !== '.' && text !== '..' && Buffer.byteLength(text) <= 255,
      )
    await fc.assert(
      fc.asyncProperty(account, fc.constantFrom('small', 'big'), async (account, provider) => {
        expect(await ask(`/${provider}/${encodeURIComponent(account)}`)).to.equal(`${provider} ${account}`)
        expect(await ask(`/${provider}/${encodeURIComponent(account)}/`)).to.equal(`${provider} ${account}`)
      }),
    )
  })

  it('is exact: nothing longer, shorter or spelled otherwise', async () => {
    const one = asked(['small'])
    const two = asked(['small', 'big'])
    const segment = fc.constantFrom('small', 'big', 'Small', 'a', 'smal', '')
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 4 }), async segments => {
        const path = `/${segments.join('/')}`
        const [provider, account = 'default', ...more] = path.replace(/^\//, '').replace(/\/$/, '').split('/')
        const isExact = more.length === 0 && account !== '' && !path.endsWith('//')
        const expected = `${provider} ${account}`
        expect(await one(path), path).to.equal(
          path === '/' ? 'small default' : isExact && provider === 'small' ? expected : undefined,
        )
        expect(await two(path), path).to.equal(
          isExact && ['small', 'big'].includes(provider!) ? expected : undefined,
        )
      }),
      { numRuns: 300 },
    )
  })

  it('takes no account that a database may refuse', async () => {
    const ask = asked(['small'])
    for (const account of [
      '%00',
      'a%0Ab',
      '%7F',
      '%C2%85',
      'a'.repeat(256),
      '%E4%BD%A0'.repeat(86),
      '%',
      '%zz',
      '%C3',
    ])
      expect(await ask(`/small/${account}`), account).to.equal(undefined)
    expect(await ask(`/small/${'a'.repeat(255)}`)).to.equal(`small ${'a'.repeat(255)}`)
  })
})
