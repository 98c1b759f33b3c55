import { type AcuityOptions, acuity } from '@booking-webhooks/acuity'
import { subscriptions } from '@booking-webhooks/acuity/subscriptions'
import { type FakeAcuity, startFakeAcuity } from '@booking-webhooks/acuity/testing'
import { type ErrorCode, isBookingWebhooksError } from '@booking-webhooks/core'
import { expect } from 'chai'
import nock from 'nock'
import { withoutNetwork } from '../support/without-network.js'

const target = 'https://hooks.example.com/acuity'
const old = 'https://old.example.com/acuity'
const basic = 'Basic MTAwMDAwMTp0ZXN0LWtleS0x'
const options = { apiKey: 'test-key-1', userId: '1000001', requestsPerSecond: 10_000 }

async function errorOf(work: Promise<unknown>, code: ErrorCode = 'FETCH_FAILED'): Promise<string> {
  const error = await work.then(
    () => expect.fail('it did not fail'),
    (reason: unknown) => reason,
  )
  if (!isBookingWebhooksError(error, code)) throw error
  for (const secret of ['test-key-1', basic.slice(6), 'token-1'])
    expect(`${error.message} ${error.stack}`).to.not.contain(secret)
  return error.message
}

describe('subscriptions: who Acuity tells', () => {
  let fake: FakeAcuity
  const open = (more: Partial<AcuityOptions> = {}) =>
    subscriptions(acuity({ ...options, apiUrl: fake.url, ...more }))
  const hook = (id: number, event: string, at = target, status: 'active' | 'disabled' = 'active') =>
    void fake.webhooks.push({ id, event, target: at, status })
  const there = () => fake.webhooks.map(one => `${one.event} ${one.target}`).sort()
  const changes = () => fake.calls.filter(call => call.method !== 'GET').map(call => call.method)
  beforeEach(async () => {
    fake = await startFakeAcuity({ authorization: basic })
  })
  afterEach(() => fake.close())

  it('are added, listed and removed, and one that is gone already is no error', async () => {
    const hooks = open()
    const added = await hooks.add({ event: 'order.completed', target })
    expect(added).to.deep.equal({ id: '1', event: 'order.completed', target, isActive: true })
    hook(2, 'appointment.changed', old, 'disabled')
    expect(await hooks.list()).to.deep.equal([
      added,
      { id: '2', event: 'appointment.changed', target: old, isActive: false },
    ])
    await hooks.remove('1')
    await hooks.remove('1')
    expect(there()).to.deep.equal([`appointment.changed ${old}`])
  })

  it('are exactly those that are wanted, and a second time nothing is done', async () => {
    hook(1, 'appointment.scheduled')
    hook(2, 'appointment.changed', 'https://elsewhere.example.com/')
    const hooks = open()
    const first = await hooks.ensure({ target, events: ['appointment.changed', 'order.completed'] })
    expect(first.added.map(one => one.event)).to.deep.equal(['appointment.changed', 'order.completed'])
    expect(first.removed.map(one => one.id)).to.deep.equal(['1'])
    const after = [
      `appointment.changed ${target}`,
      'appointment.changed https://elsewhere.example.com/',
      `order.completed ${target}`,
    ]
    expect(there()).to.deep.equal(after.sort())
    expect(changes(), 'nothing is missed in between').to.deep.equal(['POST', 'POST', 'DELETE'])
    const second = await hooks.ensure({ target, events: ['appointment.changed', 'order.completed'] })
    expect(second).to.deep.equal({ kept: first.added, added: [], removed: [] })
    expect(changes()).to.have.length(3)
  })

  it('are one for everything about appointments unless said otherwise', async () => {
    await open().ensure({ target })
    expect(there()).to.deep.equal([`appointment.changed ${target}`])
    await open().ensure({ target, events: [] })
    expect(there()).to.deep.equal([])
  })

  it('are made anew where Acuity switched one off, and of two alike one stays', async () => {
    hook(1, 'appointment.changed', target, 'disabled')
    hook(2, 'order.completed')
    hook(3, 'order.completed')
    const { kept, added, removed } = await open().ensure({
      target,
      events: ['appointment.changed', 'order.completed'],
    })
    expect(kept.map(one => one.id)).to.deep.equal(['2'])
    expect(added.map(one => one.event)).to.deep.equal(['appointment.changed'])
    expect(removed.map(one => one.id).sort()).to.deep.equal(['1', '3'])
    expect(fake.webhooks.every(one => one.status === 'active')).to.equal(true)
  })

  it('leave old targets, and only those that are named', async () => {
    hook(1, 'appointment.changed', old)
    hook(2, 'order.completed', old, 'disabled')
    hook(3, 'appointment.changed', `${old}/other`)
    const { removed } = await open().ensure({ target, retire: [old] })
    expect(removed.map(one => one.id)).to.deep.equal(['1', '2'])
    expect(there()).to.deep.equal([`appointment.changed ${target}`, `appointment.changed ${old}/other`])
    expect(await errorOf(open().ensure({ target, retire: [target] }), 'INVALID_OPTION')).to.contain('retire')
  })

  it('find room where old targets have filled the account', async () => {
    for (let id = 1; id <= 25; id += 1) hook(id, 'appointment.changed', id < 25 ? `${old}/${id}` : old)
    const refused = await errorOf(open().ensure({ target }))
    expect(refused).to.equal('Acuity answered 400 to POST /webhooks: Limited to 25 webhooks.')
    await open().ensure({ target, retire: [old] })
    expect(there()).to.have.length(25).and.to.include(`appointment.changed ${target}`)
  })

  it('say in Acuity’s words why it refuses: it is not always the limit', async () => {
    const event = 'appointment.exploded' as 'appointment.changed'
    expect(await errorOf(open().add({ event, target }))).to.equal(
      'Acuity answered 400 to POST /webhooks: Invalid event.',
    )
    expect(there()).to.deep.equal([])
  })

  it('take https targets only, and credentials are needed', async () => {
    for (const wrong of ['http://hooks.example.com/', 'https://hooks.example.com:8443/', '/acuity', ''])
      expect(await errorOf(open().ensure({ target: wrong }), 'INVALID_OPTION')).to.contain('https')
    expect(fake.calls).to.deep.equal([])
    const without = async () => open({ userId: undefined })
    expect(await errorOf(without(), 'INVALID_OPTION')).to.contain('ACUITY_USER_ID')
    const copied = async () => subscriptions({ ...acuity(options) })
    expect(await errorOf(copied(), 'INVALID_OPTION')).to.contain('acuity()')
  })

  it('wait where Acuity wants fewer requests, unless it is called off', async function () {
    this.timeout(10_000)
    fake.answer('*', { status: 429, headers: { 'retry-after': '1' } })
    const began = performance.now()
    expect(await open().list()).to.deep.equal([])
    expect(performance.now() - began).to.be.at.least(990)
    fake.answer('*', { status: 429, headers: { 'retry-after': '60' } })
    const signal = AbortSignal.timeout(50)
    const provider = acuity({ ...options, apiUrl: fake.url })
    const called = await subscriptions(provider, { signal })
      .list()
      .catch((error: Error) => error.name)
    expect(called).to.equal('TimeoutError')
  })

  it('fail with what the credentials lack', async () => {
    fake.authorization = 'Basic another'
    expect(await errorOf(open().list())).to.contain('refuses the credentials (401)')
  })

  describe('over the wire', () => {
    const api = 'https://acuityscheduling.com'
    withoutNetwork()

    it('are asked for as the API’s pages say, with the token of an OAuth app', async () => {
      const reqheaders = { authorization: 'Bearer token-1', 'content-type': 'application/json' }
      const webhook = { event: 'appointment.changed', target }
      nock(api, { reqheaders })
        .post('/api/v1/webhooks', webhook)
        .reply(200, { id: 1, ...webhook, status: 'active' })
      nock(api).delete('/api/v1/webhooks/1').reply(204)
      const hooks = subscriptions(
        acuity({
          ...options,
          userId: undefined,
          getToken: account => (account === 'salon' ? 'token-1' : null),
        }),
        { account: 'salon' },
      )
      const { id } = await hooks.add({ event: 'appointment.changed', target })
      await hooks.remove(id)
    })

    it('never repeat a key, a page or a long story of a refusal', async () => {
      const provider = acuity(options)
      const refusals: [string | object, RegExp][] = [
        [{ message: 'Bad key test-key-1.' }, /webhooks\.$/],
        [{ message: `Bad ${basic}` }, /webhooks\.$/],
        ['<html>Down</html>', /webhooks\.$/],
        [{ error: 'bad_request' }, /webhooks\.$/],
        [{ message: ' Port\r\n\u0007 is wrong. ' }, /webhooks: Port is wrong\.$/],
        [{ message: 'x'.repeat(5_000) }, /webhooks: x{300}$/],
      ]
      for (const [body, expected] of refusals) {
        nock(api).post('/api/v1/webhooks').reply(400, body)
        const added = subscriptions(provider).add({ event: 'order.completed', target })
        expect(await errorOf(added)).to.match(expected)
      }
    })

    it('are unreadable where Acuity sends something else', async () => {
      for (const body of ['{}', '[{"id":1}]', '<html>']) {
        nock(api).get('/api/v1/webhooks').reply(200, body)
        await errorOf(subscriptions(acuity(options)).list())
      }
    })
  })
})
