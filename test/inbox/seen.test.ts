import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { signingKey, type Workbench, type WorkbenchOptions, workbench } from '../support/workbench.js'

describe('a process that works only when it is asked to', () => {
  let nowMs: number
  let bench: Workbench
  beforeEach(() => {
    nowMs = Date.now()
  })
  afterEach(() => bench.close())

  function begin(options: WorkbenchOptions = {}): void {
    bench = workbench({ store: { now: () => nowMs * 1000 }, ...options })
  }

  const book = (id: string) =>
    bench.deliver(
      calendlyDelivery({
        key: signingKey,
        event: 'invitee.created',
        invitee: { id, meeting: `EV-${id}`, hosts: [id] },
      }),
    )
  const retired = () => bench.inbox.retire('memory').catch((error: unknown) => (error as Error).message)

  for (const [title, options, work] of [
    ['before it answers', { finishBeforeAnswer: true }, () => book('one')],
    ['by drain()', {}, () => bench.inbox.drain()],
    ['by sweep()', {}, () => bench.inbox.sweep()],
  ] as [string, WorkbenchOptions, () => Promise<unknown>][])
    it(`has its subscribers, so that they are not retired under its feet: ${title}`, async () => {
      begin(options)
      await work()
      expect(await retired()).to.match(/^A process had the subscriber 'memory' at/)
    })

  it('registers again what was retired while nothing was asked of it', async () => {
    begin()
    await bench.inbox.drain()
    nowMs += 301_000
    expect(await retired()).to.deep.equal({ pending: 0, dead: 0 })
    await bench.inbox.sweep()
    await book('two')
    await bench.inbox.drain()
    expect(bench.toldInShort()).to.deep.equal(['booking.created two'])
  })
})
