import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

describe('an inbox that is closed while it is drained', () => {
  let bench: Workbench
  afterEach(() => bench.close())

  it('finishes what runs, begins nothing more, and has nothing to complain of', async () => {
    let isClosed: Promise<void> | undefined
    const told: string[] = []
    bench = workbench({
      subscribers: {
        slow: {
          takes: ['*'],
          tell(event) {
            told.push(event.id)
            isClosed ??= bench.inbox.close()
          },
        },
      },
    })
    for (const event of ['invitee.created', 'invitee.canceled'] as const)
      await bench.deliver(calendlyDelivery({ key: signingKey, event }))
    await bench.inbox.drain()
    await isClosed
    expect(told).to.have.length(1)
    expect(bench.lines.filter(({ level }) => level === 'error')).to.deep.equal([])
  })
})
