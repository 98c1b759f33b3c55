import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

describe('a process of an old version, while a new one is rolled out', () => {
  let nowMs: number
  let oldOne: Workbench
  let newOne: Workbench
  let heard: string[]
  beforeEach(async () => {
    nowMs = Date.UTC(2027, 2, 1, 9)
    heard = []
    oldOne = start('old', ['booking.created', 'booking.rescheduled', 'booking.conflict', 'booking.no_show'])
    await oldOne.inbox.start()
    newOne = start('new', ['*'], oldOne.database)
    await newOne.inbox.start()
  })
  afterEach(async () => {
    await newOne.close()
    await oldOne.close()
  })

  function start(version: string, takes: string[], database?: string): Workbench {
    return workbench({
      ...(database === undefined ? {} : { database }),
      now: () => new Date(nowMs),
      store: { now: () => nowMs * 1000 },
      subscribers: { calendar: { takes, tell: ({ type }) => void heard.push(`${version} ${type}`) } },
    })
  }

  async function receive(...events: string[]): Promise<void> {
    const sentAt = new Date(nowMs)
    for (const event of events) await newOne.deliver(calendlyDelivery({ key: signingKey, event, sentAt }))
  }

  const tells = async () =>
    (await newOne.inbox.events()).rows.flatMap(row =>
      row.tells.map(({ status, attempts }) => `${row.type} ${status} ${attempts}`),
    )

  it('leaves what it does not take to the new one, and counts no attempt', async () => {
    await receive('invitee.created', 'invitee.canceled')
    await oldOne.inbox.drain()
    expect(heard).to.deep.equal(['old booking.created'])
    expect(await tells()).to.include('booking.canceled pending 0')
    await newOne.inbox.drain()
    expect(heard).to.have.length(1)
    nowMs += 5_000
    await newOne.inbox.drain()
    expect(heard).to.deep.equal(['old booking.created', 'new booking.canceled'])
    expect(await tells()).to.include('booking.canceled done 1')
  })

  it('takes it for given up after five minutes, so that what comes behind it is told', async () => {
    await receive('invitee.canceled', 'invitee_no_show.created')
    for (let time = 0; time < 60; time += 1) {
      await oldOne.inbox.drain()
      nowMs += 5_000
    }
    expect(await tells()).to.include('booking.canceled pending 0')
    await oldOne.inbox.drain()
    expect(await tells()).to.include('booking.canceled done 1')
    expect(heard).to.deep.equal(['old booking.no_show'])
    expect(
      oldOne.lines.filter(({ message }) => message === 'left to a process that takes it'),
    ).to.have.length(60)
  })
})
