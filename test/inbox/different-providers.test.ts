import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import type { Adapter } from '@booking-webhooks/core'
import { expect } from 'chai'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

describe('a process that has no adapter for a provider whose events another one settles', () => {
  let receiver: Workbench
  let stranger: Workbench
  let nowUs: number
  beforeEach(() => {
    nowUs = Date.now() * 1000
    const store = { now: () => nowUs }
    const other: Adapter = { ...calendly({ signingKey }), provider: 'other' }
    receiver = workbench({ store })
    stranger = workbench({ store, providers: [other], database: receiver.database })
  })
  afterEach(async () => {
    await stranger.close()
    await receiver.close()
  })

  const atSecond = async (bench: Workbench, second: number) => {
    const beganUs = nowUs
    nowUs += second * 1_000_000
    await bench.inbox.drain()
    nowUs = beganUs
    return receiver.told.length + stranger.told.length
  }

  it('keeps each from it for seconds, longer each time', async () => {
    await receiver.deliver(calendlyDelivery({ key: signingKey, event: 'invitee.created' }))
    expect(await atSecond(stranger, 0)).to.equal(0)
    expect(await atSecond(receiver, 1)).to.equal(0)
    expect(await atSecond(stranger, 3)).to.equal(0)
    expect(await atSecond(receiver, 6)).to.equal(0)
    expect(await atSecond(receiver, 8)).to.equal(1)
  })
})
