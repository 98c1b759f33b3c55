import { calendlyStories } from '@booking-webhooks/calendly/testing'
import { type EventFilter, parseInstant, type ReplayOptions, type ReplayRow } from '@booking-webhooks/core'
import { expect } from 'chai'
import { until } from '../crash/members.js'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

type StoryName = keyof typeof calendlyStories

describe('a replay', () => {
  let bench: Workbench
  afterEach(() => bench.close())

  async function play(...names: StoryName[]): Promise<void> {
    for (const name of names)
      for (const delivery of calendlyStories[name]({ key: signingKey, prefix: name })) {
        await bench.deliver(delivery)
        await bench.inbox.drain()
      }
  }

  async function replay(filter: EventFilter = {}, options: ReplayOptions = {}): Promise<ReplayRow> {
    bench.told.length = 0
    const { id } = await bench.inbox.replay(filter, options)
    await bench.inbox.drain()
    const [row] = await bench.inbox.replays({ id: id! })
    return row!
  }

  it('tells again what was told, with the same id, marked, and with the booking as it is now', async () => {
    bench = workbench()
    await play('no-show')
    const first = bench.told.map(({ event }) => event)
    const row = await replay()
    expect(bench.told.map(({ event }) => event)).to.deep.equal(first)
    for (const { context } of bench.told) {
      expect(context).to.include({ attempt: 1, replay: true })
      expect(context.now).to.deep.include({ status: 'confirmed', noShow: false })
    }
    expect(row).to.deep.include({ state: 'done', done: 3, tells: { pending: 0, done: 3, dead: 0 } })
    expect(row.counts).to.deep.equal({ told: 3, decided: 0, overtaken: 0, leftOut: 0, tells: 3 })
    expect((await bench.inbox.events()).rows.map(event => event.replays)).to.deep.equal([1, 1, 1])
  })

  it('leaves out bookings that have ended or moved since, and counts them, unless asked for', async () => {
    bench = workbench()
    await play('cancel', 'reschedule', 'double-booking')
    const all = bench.toldInShort()
    const asked = await bench.inbox.replay({}, { dryRun: true })
    expect(asked).to.deep.include({ id: null })
    expect(asked.counts).to.deep.equal({ told: 4, decided: 1, overtaken: 4, leftOut: 0, tells: 4 })
    expect(await bench.inbox.replays()).to.deep.equal([])
    const row = await replay()
    expect(row.counts).to.deep.equal(asked.counts)
    expect(bench.toldInShort().sort()).to.deep.equal([
      'booking.canceled cancelIN1',
      'booking.canceled double-bookingIN1',
      'booking.created double-bookingIN2',
      'booking.rescheduled rescheduleIN1b',
    ])
    await replay({}, { overtaken: true })
    expect(byBooking(bench.toldInShort())).to.deep.equal(byBooking(all))
    const cancel = bench.told.find(({ event }) => event.type === 'booking.created')!
    expect(cancel.context.now).to.deep.include({ status: 'canceled' })
  })

  it('keeps what once kept, unless it is to be fresh', async () => {
    const calls: string[] = []
    bench = workbench({
      on: {
        'booking.created': async ({ booking }, { once }) =>
          void calls.push(await once('calendar', () => `entry ${calls.length} of ${booking.status}`)),
        'booking.rescheduled': null,
        'booking.conflict': null,
      },
    })
    await play('book')
    await replay()
    await replay({}, { fresh: true })
    await replay()
    expect(calls).to.deep.equal([
      'entry 0 of confirmed',
      'entry 0 of confirmed',
      'entry 2 of confirmed',
      'entry 2 of confirmed',
    ])
  })

  it('of dead letters tells only those again whose attempts were used up, and they are dead no more', async () => {
    const heard: string[] = []
    let isBroken = true
    bench = workbench({
      attempts: 1,
      subscribers: {
        calendar: { takes: ['*'], tell: event => void heard.push(`calendar ${event.type}`) },
        mail: {
          takes: ['*'],
          tell: event => {
            if (isBroken) throw new TypeError('mail is down')
            heard.push(`mail ${event.type}`)
          },
        },
      },
    })
    await play('book')
    const dead = await bench.inbox.events({ status: 'dead' })
    expect(dead.rows.map(row => row.lastError)).to.deep.equal(['TypeError'])
    isBroken = false
    const row = await replay({ status: 'dead' })
    expect(heard).to.deep.equal(['calendar booking.created', 'mail booking.created'])
    expect(row.counts.tells).to.equal(1)
    expect((await bench.inbox.events({ status: 'dead' })).rows).to.deep.equal([])
    const [event] = (await bench.inbox.events()).rows
    expect(event).to.include({ status: 'done' })
    expect(event!.tells.map(tell => `${tell.subscriber} ${tell.status}`)).to.deep.equal([
      'calendar done',
      'mail done',
    ])
  })

  it('brings a new subscriber the history, and nobody else', async () => {
    bench = workbench()
    await play('no-show', 'group')
    const heard: string[] = []
    const later = workbench({
      database: bench.database,
      subscribers: {
        crm: {
          'booking.created': ({ type }) => void heard.push(type),
          'booking.rescheduled': null,
          'booking.conflict': null,
        },
      },
    })
    await later.inbox.replay({}, { subscriber: 'crm' })
    await later.inbox.drain()
    await later.close()
    expect(heard).to.deep.equal(['booking.created', 'booking.created'])
    expect(await failure(bench.inbox.replay({}, { subscriber: 'nobody' }))).to.include('crm, memory')
  })

  it('does not tell again what is still to be told for the first time', async () => {
    let isDown = true
    let nowUs = Date.now() * 1000
    bench = workbench({
      store: { now: () => nowUs },
      subscribers: {
        memory: {
          takes: ['*'],
          tell(event, context) {
            if (isDown) throw new Error('down')
            bench.told.push({ event, context })
          },
        },
      },
    })
    await play('book')
    const { counts } = await replay()
    expect(counts).to.deep.include({ told: 0, leftOut: 1 })
    isDown = false
    nowUs += 1_000_000
    await bench.inbox.drain()
    expect(bench.told.map(({ context }) => context.replay)).to.deep.equal([false])
  })

  it('runs beside another one, each telling everything once', async () => {
    bench = workbench()
    await play('no-show', 'group')
    const live = bench.toldInShort()
    bench.told.length = 0
    await Promise.all([1, 2].map(() => bench.inbox.replay({}, { overtaken: true })))
    await bench.inbox.drain()
    expect(bench.toldInShort().sort()).to.deep.equal([...live, ...live].sort())
    for (const row of await bench.inbox.replays())
      expect(row).to.deep.include({ state: 'done', done: live.length })
  })

  it('does not tell of a booking that ended while the replay was under way', async () => {
    let hold: Promise<void> | null = null
    bench = workbench({
      dispatch: true,
      pollMs: 20,
      subscribers: {
        memory: {
          takes: ['*'],
          async tell(event, context) {
            bench.told.push({ event, context })
            await hold
          },
        },
      },
    })
    const [create, cancel] = calendlyStories.cancel({ key: signingKey })
    await bench.deliver(create!)
    await until(async () => (await bench.inbox.events({ status: 'done' })).rows.length === 1)
    bench.told.length = 0
    let go = () => {}
    hold = new Promise(resolve => {
      go = resolve
    })
    await bench.inbox.replay({})
    await bench.inbox.replay({})
    // The second replay's tell is written and waits behind the first one's, which runs; then the cancel comes.
    await until(async () => {
      const rows = await bench.inbox.replays()
      return bench.told.length === 1 && rows.every(row => row.counts.told === 1)
    })
    await bench.deliver(cancel!)
    await until(async () => (await bench.inbox.bookings({ status: 'canceled' })).rows.length === 1)
    go()
    await until(async () => (await bench.inbox.replays()).every(row => row.state === 'done'))
    await until(() => bench.told.length === 2)
    expect(bench.told.map(({ event, context }) => `${event.type} ${context.replay}`)).to.deep.equal([
      'booking.created true',
      'booking.canceled false',
    ])
    const rows = await bench.inbox.replays()
    expect(rows.map(row => [row.state, row.counts.overtaken]).sort()).to.deep.equal([
      ['done', 0],
      ['done', 1],
    ])
  })

  it('is narrowed by everything that the ledger is', async () => {
    bench = workbench()
    await play('no-show')
    const { rows } = await bench.inbox.events()
    const created = rows.at(-1)!
    const one = ['booking.created']
    const filters: [EventFilter, string[]][] = [
      [{ event: created.id }, one],
      [{ booking: created.bookingId!, type: 'booking.created' }, one],
      [{ booking: 'another' }, []],
      [{ provider: 'another' }, []],
      [{ provider: 'calendly', account: 'default', type: 'booking.created' }, one],
      [{ fromUs: 0, toUs: 1 }, []],
      [{ by: 'occurred', toUs: parseInstant(created.occurredAt)! + 1 }, one],
      [{ outcome: 'refused' }, []],
      [{ status: 'done', type: 'booking.created' }, one],
      [{ subscriber: 'memory', type: 'booking.created' }, one],
    ]
    for (const [filter, expected] of filters) {
      await replay(filter)
      expect(
        bench.told.map(({ event }) => event.type),
        JSON.stringify(filter),
      ).to.deep.equal(expected)
    }
  })
})

/** What was told of each booking, in order; bookings are told side by side. */
function byBooking(told: string[]): string[] {
  const booking = (line: string) => line.split(' ')[1]!
  return [...told].sort((a, b) => booking(a).localeCompare(booking(b)))
}

async function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'it did not fail',
    error => error.message,
  )
}
