import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

describe('a function for keys', () => {
  let bench: Workbench
  afterEach(() => bench.close())

  it('that throws costs no delivery: it is asked for again, and the log says why without what was thrown', async () => {
    let asked = 0
    const vault = () => {
      if (++asked === 1) throw Object.assign(new Error('refused token hvs.x'), { code: 'ECONNREFUSED' })
      return signingKey
    }
    bench = workbench({ providers: [calendly({ signingKey: vault })] })
    const delivery = calendlyDelivery({ key: signingKey, event: 'invitee.created' })
    const reply = await bench.deliver(delivery)
    expect(reply.status).to.equal(503)
    expect(reply.headers).to.have.property('retry-after')
    const [line] = bench.lines.filter(({ level }) => level === 'error')
    expect(line).to.include({ message: 'not stored', code: 'KEYS_UNAVAILABLE', status: 503 })
    expect(line.reason).to.contain('keys of calendly threw (Error (ECONNREFUSED))')
    expect(JSON.stringify(bench.lines)).to.not.contain('hvs.')
    expect((await bench.deliver(delivery)).status).to.equal(200)
  })

  const noKeys: [what: string, keys: unknown][] = [
    ['a hole beside a key', ['hvs.one', undefined]],
    ['null beside a key', ['hvs.one', null]],
    ['a number', 4711],
    ['a number beside a key', ['hvs.one', 4711]],
    ['an empty text', ''],
    ['an empty text beside a key', ['hvs.one', '']],
    ['no key at all', []],
    ['an object', { key: 'hvs.one' }],
    ['white space around a key', ' hvs.one'],
    ['a header', 'v1=hvs.one'],
  ]
  for (const [what, keys] of noKeys)
    it(`that gives ${what} costs no delivery, and the log says why without a key`, async () => {
      const answers = [keys, signingKey]
      bench = workbench({ providers: [calendly({ signingKey: () => answers.shift() as string })] })
      const delivery = calendlyDelivery({ key: signingKey, event: 'invitee.created' })
      const reply = await bench.deliver(delivery)
      expect(reply.status).to.equal(503)
      expect(reply.headers).to.have.property('retry-after')
      const [line] = bench.lines.filter(({ level }) => level === 'error')
      expect(line).to.include({ message: 'not stored', code: 'KEYS_UNAVAILABLE', status: 503 })
      expect(line.reason).to.contain(
        'keys of calendly gave what cannot be used. calendly({ signingKey }) for',
      )
      expect(JSON.stringify(bench.lines)).to.not.match(/hvs\.|4711/)
      expect((await bench.deliver(delivery)).status, 'asked again').to.equal(200)
    })

  it('of an own adapter is checked as well', async () => {
    const answers: unknown[] = ['hvs.one', ['hvs.one', undefined], [4711], { length: 1 }]
    const own = { ...calendly({ signingKey }), keys: () => answers.shift() as string[] }
    bench = workbench({ providers: [own] })
    const delivery = calendlyDelivery({ key: signingKey, event: 'invitee.created' })
    while (answers.length > 0) expect((await bench.deliver(delivery)).status).to.equal(503)
    const reasons = bench.lines.filter(({ level }) => level === 'error').map(({ reason }) => reason)
    expect(reasons).to.have.length(4)
    for (const reason of reasons) expect(reason).to.contain('gave what is no list of strings')
    expect(JSON.stringify(bench.lines)).to.not.match(/hvs\.|4711/)
    expect((await bench.deliver(delivery)).status, 'undefined is no account').to.equal(401)
  })
})
