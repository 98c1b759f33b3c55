import { type AccountKeys, accountKeys } from '@booking-webhooks/core'
import { expect } from 'chai'

const options = { setting: 'calendly({ signingKey })', variable: 'CALENDLY_SIGNING_KEY' }
const keysOf = (setting: AccountKeys, more: object = {}) => accountKeys(setting, { ...options, ...more })

describe('accountKeys', () => {
  it('gives a string or a list to the account default alone', () => {
    expect(keysOf('one')('default')).to.deep.equal(['one'])
    expect(keysOf(['one', 'two'])('default')).to.deep.equal(['one', 'two'])
    expect(keysOf('one')('acme')).to.equal(null)
  })

  it('gives each account of a record its own, and nothing that an object inherits', () => {
    const keys = keysOf({ acme: 'one', beta: ['two', 'three'] })
    expect(keys('acme')).to.deep.equal(['one'])
    expect(keys('beta')).to.deep.equal(['two', 'three'])
    for (const account of ['default', 'constructor', '__proto__', 'toString', ''])
      expect(keys(account)).to.equal(null)
  })

  it('says in the words of the setting what is missing', () => {
    const sentence = 'calendly({ signingKey }) is required. Is CALENDLY_SIGNING_KEY set?'
    for (const setting of [undefined, null as never, [], {}]) expect(() => keysOf(setting)).to.throw(sentence)
    expect(() => keysOf({ acme: undefined })).to.throw(
      'calendly({ signingKey }) for account "acme" is required. Is CALENDLY_SIGNING_KEY set?',
    )
  })

  it('refuses keys that cannot be right without repeating them', () => {
    for (const key of ['', '  ', 'secret\n', ' secret'])
      for (const setting of [key, [key], { acme: key }])
        expect(() => keysOf(setting))
          .to.throw(/is empty|cannot be right/)
          .with.property('message')
          .that.does.not.contain('secret')
    expect(() => keysOf('secret', { refuse: () => 'it looks wrong' })).to.throw(
      'calendly({ signingKey }) cannot be right: it looks wrong.',
    )
  })

  describe('with a function', () => {
    it('takes an answer at once or later, and null for an account that does not exist', async () => {
      const keys = keysOf(account => (account === 'acme' ? Promise.resolve('one') : null))
      expect(await keys('acme')).to.deep.equal(['one'])
      expect(await keys('nobody')).to.equal(null)
    })

    it('asks once for twenty callers, and again after ten seconds', async () => {
      let asked = 0
      let nowMs = 0
      const keys = keysOf(async () => `key ${++asked}`, { now: () => nowMs })
      const answers = await Promise.all(Array.from({ length: 20 }, () => keys('acme')))
      expect(new Set(answers.map(String))).to.deep.equal(new Set(['key 1']))
      nowMs = 9_999
      expect(await keys('acme')).to.deep.equal(['key 1'])
      nowMs = 10_000
      expect(await keys('acme')).to.deep.equal(['key 2'])
    })

    it('does not remember a failure', async () => {
      let asked = 0
      const keys = keysOf(async () => {
        if (++asked === 1) throw new Error('down')
        return 'one'
      })
      const first = await Promise.resolve(keys('acme')).catch((error: Error) => error.message)
      expect(first).to.equal('down')
      expect(await keys('acme')).to.deep.equal(['one'])
    })

    it('remembers no more than a thousand accounts, whoever makes them up', async () => {
      const asked: string[] = []
      const keys = keysOf(account => {
        asked.push(account)
        return null
      })
      for (let number = 0; number <= 1_000; number++) await keys(`a${number}`)
      await keys('a1')
      expect(asked).to.have.length(1_001)
      await keys('a0')
      expect(asked).to.have.length(1_002)
    })

    it('checks each answer', async () => {
      const keys = keysOf(() => ' one')
      const error = await Promise.resolve(keys('acme')).catch((problem: Error) => problem)
      expect(error).to.have.property('code', 'INVALID_OPTION')
    })
  })
})
