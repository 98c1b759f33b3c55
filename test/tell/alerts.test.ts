import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery, calendlyStories } from '@booking-webhooks/calendly/testing'
import type { Alert, SampleDelivery } from '@booking-webhooks/core'
import { expect } from 'chai'
import { signingKey, type Workbench, type WorkbenchOptions, workbench } from '../support/workbench.js'

describe('alerts', () => {
  let bench: Workbench
  let nowMs: number
  let heard: Alert[]
  let isDown: boolean
  beforeEach(() => {
    nowMs = Date.now()
    heard = []
    isDown = true
  })
  afterEach(() => bench.close())

  function begin(options: WorkbenchOptions = {}): void {
    bench = workbench({
      store: { now: () => nowMs * 1000 },
      backoff: { baseMs: 1_000, capMs: 1_000 },
      onAlert: alert => void heard.push(alert),
      subscribers: {
        calendar: {
          takes: ['*'],
          tell() {
            if (isDown) throw new RangeError('not for the log')
          },
        },
      },
      ...options,
    })
  }

  const book = (number: number) =>
    bench.deliver(
      calendlyDelivery({
        key: signingKey,
        event: 'invitee.created',
        invitee: { id: `IN${number}`, meeting: `EV${number}`, hosts: [`US${number}`] },
      }),
    )
  const inShort = () =>
    heard.map(({ kind, subject, consecutiveFailures }) => `${kind} ${subject} ${consecutiveFailures}`)
  const lines = (message: string) => bench.lines.filter(line => line.message === message)

  it('come after 1, 5 and 20 failures one after another, of twenty lanes at once, and once on recovery', async () => {
    begin({ concurrency: 20 })
    for (let number = 0; number < 21; number += 1) await book(number)
    await bench.inbox.drain()
    expect(inShort()).to.deep.equal([1, 5, 20].map(count => `alert subscriber:calendar ${count}`))
    expect(heard[0]!.fields).to.deep.equal({
      subject: 'subscriber:calendar',
      subscriber: 'calendar',
      reason: 'RangeError',
      consecutiveFailures: 1,
    })
    isDown = false
    nowMs += 1_000
    await bench.inbox.drain()
    expect(inShort().slice(3)).to.deep.equal(['recovered subscriber:calendar 21'])
    expect(lines('alert').map(line => line.consecutiveFailures)).to.deep.equal([1, 5, 20])
    expect(lines('recovered')).to.have.length(1)
    isDown = true
    await book(99)
    await bench.inbox.drain()
    expect(inShort().slice(4), 'a new streak').to.deep.equal(['alert subscriber:calendar 1'])
  })

  it('are kept until onAlert took them, one that it refuses keeping none behind it; the log has each once', async () => {
    const refused: number[] = []
    begin({
      onAlert(alert) {
        if (refused.length < 2 && alert.consecutiveFailures === 1) {
          refused.push(alert.consecutiveFailures)
          throw new Error('the pager is down')
        }
        heard.push(alert)
      },
    })
    for (let number = 0; number < 5; number += 1) await book(number)
    await bench.inbox.drain()
    expect(inShort()).to.deep.equal(['alert subscriber:calendar 5'])
    await bench.inbox.sweep()
    expect(refused, 'not before the lease is over').to.have.length(1)
    nowMs += 61_000
    await bench.inbox.sweep()
    expect(refused).to.have.length(2)
    nowMs += 61_000
    await bench.inbox.sweep()
    expect(inShort()).to.deep.equal(['alert subscriber:calendar 5', 'alert subscriber:calendar 1'])
    nowMs += 61_000
    await bench.inbox.sweep()
    expect(heard).to.have.length(2)
    expect(lines('alert')).to.have.length(2)
  })

  it('keep nobody waiting who is to be told, however slow onAlert is', async () => {
    let go = () => {}
    begin({
      dispatch: true,
      pollMs: 20,
      store: {},
      backoff: { baseMs: 1, capMs: 5 },
      // One alert and one recovery, however often it fails before the subscriber is mended.
      alertThresholds: [1],
      onAlert: alert =>
        new Promise<void>(resolve => {
          heard.push(alert)
          go = resolve
        }),
    })
    await book(1)
    while (heard.length === 0) await sleep(10)
    isDown = false
    await book(2)
    while ((await bench.inbox.events({ status: 'done' })).rows.length < 2) await sleep(10)
    expect(heard).to.have.length(1)
    while (heard.length < 2) {
      go()
      await sleep(10)
    }
    go()
  })

  it('of signatures count each account by itself, a storm in few writes, and none that does not exist', async () => {
    begin()
    const wrong = calendlyDelivery({ key: 'another-key-of-someone', event: 'invitee.created' })
    const right = calendlyDelivery({ key: signingKey, event: 'invitee.created' })
    await bench.inbox.start()
    const answers = await Promise.all(Array.from({ length: 30 }, () => bench.deliver(wrong)))
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([401]))
    for (const name of ['a', 'b', 'c']) await bench.deliver({ ...wrong, path: `/calendly/${name}` })
    await until(() => heard.length === 3)
    expect(inShort()).to.deep.equal([1, 5, 20].map(count => `alert signature:calendly/default ${count}`))
    await bench.deliver(right)
    await until(() => heard.length === 4)
    expect(inShort()[3]).to.equal('recovered signature:calendly/default 30')
  })

  it('do not come of a scanner that signs nothing, but of a provider that no longer does', async () => {
    begin()
    const { headers, ...create } = calendlyDelivery({ key: signingKey, event: 'invitee.created' })
    const stray = { ...create, headers: { 'content-type': headers['content-type']! } }
    const answers = [await bench.deliver(stray), await bench.deliver({ ...create, headers })]
    expect(answers.map(({ status }) => status)).to.deep.equal([401, 200])
    await bench.inbox.drain()
    expect(heard.filter(({ subject }) => !subject.startsWith('subscriber:'))).to.deep.equal([])
    heard.length = 0
    for (let time = 0; time < 5; time += 1) await bench.deliver(stray)
    await until(() => heard.length === 1)
    expect(inShort()).to.deep.equal(['alert unsigned:calendly/default 5'])
    await bench.deliver({ ...create, headers })
    await until(() => heard.length === 2)
    expect(inShort()[1]).to.equal('recovered unsigned:calendly/default 5')
  })

  it('take thresholds in any order, and no nonsense', () => {
    for (const alertThresholds of [[], [0], [1.5], [Number.NaN]])
      expect(() => workbench({ alertThresholds })).to.throw(/alertThresholds takes whole numbers/)
    begin({ alertThresholds: [5, 1, 5] })
  })

  const wrong = () => calendlyDelivery({ key: 'another-key-of-someone', event: 'invitee.created' })
  const right = (id: string) =>
    calendlyDelivery({ key: signingKey, event: 'invitee.created', invitee: { id } })

  it('end in a process that only receives and was started after the failures, so that the next outage is heard', async () => {
    begin({ alertThresholds: [2] })
    const receive = async (...deliveries: SampleDelivery[]) => {
      const receiver = workbench({
        database: bench.database,
        alertThresholds: [2],
        onAlert: alert => void heard.push(alert),
      })
      for (const delivery of deliveries) await receiver.deliver(delivery)
      await receiver.close()
    }
    await receive(wrong(), wrong())
    await receive(right('one'))
    expect((await bench.inbox.health()).failing).to.deep.equal([])
    await receive(wrong(), wrong())
    expect(inShort()).to.deep.equal([
      'alert signature:calendly/default 2',
      'recovered signature:calendly/default 2',
      'alert signature:calendly/default 2',
    ])
  })

  it('end in a process that only receives and was there before the failures, a minute later', async () => {
    mock.timers.enable({ apis: ['setInterval'] })
    begin()
    try {
      await bench.inbox.start()
      const other = workbench({ database: bench.database })
      await other.deliver(wrong())
      await other.close()
      const failing = async () => (await bench.inbox.health()).failing.length
      expect(await failing()).to.equal(1)
      await bench.deliver(right('one'))
      await sleep(50)
      expect(await failing(), 'nobody asks at each request').to.equal(1)
      mock.timers.tick(60_000)
      await sleep(50)
      await bench.deliver(right('two'))
      for (let tries = 0; (await failing()) > 0 && tries < 100; tries += 1) await sleep(10)
      expect(await failing()).to.equal(0)
    } finally {
      mock.timers.reset()
    }
  })

  it('end in a process that did not see the failures', async () => {
    begin()
    await bench.deliver(calendlyDelivery({ key: 'another-key-of-someone', event: 'invitee.created' }))
    await until(() => heard.length === 1)
    const other = workbench({ database: bench.database, onAlert: alert => void heard.push(alert) })
    await other.inbox.sweep()
    await other.deliver(calendlyDelivery({ key: signingKey, event: 'invitee.created' }))
    await until(() => heard.length === 2)
    await other.close()
    expect(inShort()[1]).to.equal('recovered signature:calendly/default 1')
  })

  describe('raised where there is no onAlert', () => {
    let other: Workbench
    beforeEach(async () => {
      begin()
      await bench.inbox.start()
      other = workbench({
        database: bench.database,
        store: { now: () => nowMs * 1000 },
        subscribers: {
          calendar: {
            takes: ['*'],
            tell() {
              throw new RangeError('down')
            },
          },
        },
        attempts: 1,
      })
      await other.deliver(right('one'))
      await other.inbox.drain()
    })
    afterEach(() => other.close())

    const logged = () =>
      [other, bench].flatMap(({ lines }) => lines.filter(({ message }) => message === 'alert'))
    const left = async () => (await other.inbox.health()).alertsToHandOver

    it('are heard where there is one, and logged once', async () => {
      expect(await left()).to.equal(1)
      await other.inbox.sweep()
      await bench.inbox.sweep()
      expect(inShort()).to.deep.equal(['alert subscriber:calendar 1'])
      expect(logged()).to.have.length(1)
      expect(await left()).to.equal(0)
    })

    it('are heard in a process that only receives, too, a minute later', async () => {
      mock.timers.enable({ apis: ['setInterval'] })
      try {
        const receiver = workbench({
          database: bench.database,
          subscribers: {},
          onAlert: alert => void heard.push(alert),
        })
        await receiver.inbox.start()
        mock.timers.tick(60_000)
        await until(() => heard.length > 0)
        await receiver.close()
      } finally {
        mock.timers.reset()
      }
      expect(inShort()).to.deep.equal(['alert subscriber:calendar 1'])
    })

    it('are kept for one that refuses them for an hour', async () => {
      let isBroken = true
      const pager = workbench({
        database: bench.database,
        subscribers: {},
        store: { now: () => nowMs * 1000 },
        onAlert(alert) {
          if (isBroken) throw new Error('the pager is down')
          heard.push(alert)
        },
      })
      for (let minute = 0; minute <= 60; minute += 1) {
        isBroken = minute < 60
        await pager.inbox.sweep()
        await other.inbox.sweep()
        nowMs += 60_000
      }
      await pager.close()
      expect(inShort()).to.deep.equal(['alert subscriber:calendar 1'])
    })

    it('are over with the log line after five minutes, where there is none anywhere', async () => {
      nowMs += 299_999
      await other.inbox.sweep()
      expect(await left()).to.equal(1)
      nowMs += 1
      await other.inbox.sweep()
      expect(await left()).to.equal(0)
      expect(logged()).to.have.length(1)
    })
  })

  it('keep nobody from closing one after another: what is left is heard in the next process', async () => {
    let go = () => {}
    begin({
      onAlert: alert =>
        new Promise<void>(resolve => {
          heard.push(alert)
          go = resolve
        }),
    })
    for (let number = 0; number < 5; number += 1) await book(number)
    const drained = bench.inbox.drain()
    await until(() => heard.length === 1)
    const closed = bench.inbox.close()
    go()
    await drained
    await closed
    expect(heard).to.have.length(1)
    nowMs += 61_000
    const next = workbench({
      database: bench.database,
      store: { now: () => nowMs * 1000 },
      onAlert: alert => void heard.push(alert),
    })
    await next.inbox.sweep()
    await next.close()
    expect(inShort()).to.deep.equal([1, 5].map(count => `alert subscriber:calendar ${count}`))
  })

  it('of a half of a reschedule that has not come end when it comes, in whichever process', async () => {
    const options = { providers: [calendly({ signingKey, missingHalfMs: 1 })], subscribers: {} }
    begin(options)
    const [booked, canceled, created] = calendlyStories.reschedule({ key: signingKey })
    await bench.deliver(booked!)
    await bench.deliver(canceled!)
    await bench.inbox.drain()
    nowMs += 1_000
    await bench.inbox.drain()
    expect(heard.map(({ kind }) => kind)).to.deep.equal(['alert'])
    expect(heard[0]!.subject).to.match(/^missing:calendly\/default\/https:/)
    const other = workbench({
      database: bench.database,
      ...options,
      onAlert: alert => void heard.push(alert),
    })
    await other.deliver(created!)
    await other.inbox.drain()
    await other.close()
    expect((await bench.inbox.health()).failing).to.deep.equal([])
    expect(heard.map(({ kind }) => kind)).to.deep.equal(['alert', 'recovered'])
    expect(heard[1]!.subject).to.equal(heard[0]!.subject)
  })

  async function until(isSo: () => boolean): Promise<void> {
    for (let tries = 0; !isSo() && tries < 500; tries += 1) await sleep(10)
  }
})
