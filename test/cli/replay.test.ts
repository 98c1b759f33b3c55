import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calendlyStories } from '@booking-webhooks/calendly/testing'
import type { BookingEvent, EventRow, TellContext } from '@booking-webhooks/core'
import { expect } from 'chai'
import { until } from '../crash/members.js'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'
import { start } from './command.js'
import { runHere } from './run-here.js'

const key = signingKey

describe('booking-webhooks replay and dead', () => {
  let directory: string
  let database: string
  let bench: Workbench
  let isDown: boolean
  let told: { event: BookingEvent; replay: boolean }[]

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-replay-'))
    database = join(directory, 'test.db')
    isDown = false
    told = []
    const tell = (event: BookingEvent, { replay }: TellContext) => {
      if (isDown) throw new Error('The calendar is down.')
      told.push({ event, replay })
    }
    bench = workbench({ database, subscribers: { calendar: { takes: ['*'], attempts: 1, tell } } })
  })
  afterEach(async () => {
    await bench.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const command = (...args: string[]) => runHere([...args, '--database', database])
  const listed = async <Row = EventRow>(...args: string[]): Promise<Row[]> =>
    (await command(...args, '--json')).stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))

  async function book(...prefixes: string[]): Promise<void> {
    for (const prefix of prefixes)
      for (const delivery of calendlyStories.book({ key, prefix: `${prefix}-` }))
        await bench.deliver(delivery)
    await bench.inbox.drain()
  }

  it('marks events, and a running worker tells them again', async () => {
    await book('a', 'b')
    told.length = 0
    const [asked] = await listed<{ id: string; scope: { events: number } }>('replay')
    expect([asked.id.startsWith('rpl_'), asked.scope.events]).to.deep.equal([true, 2])
    expect(told).to.deep.equal([])

    await bench.inbox.drain()
    expect(told.map(({ replay }) => replay)).to.deep.equal([true, true])
    expect((await listed('events')).map(({ replays }) => replays)).to.deep.equal([1, 1])
  })

  it('takes the filters of events', async () => {
    await book('a', 'b')
    const [{ id, bookingId }] = await listed('events')
    for (const filter of [
      ['--event', id],
      ['--booking', bookingId!],
    ]) {
      const { stdout } = await command('replay', '--dry-run', ...filter)
      expect(stdout).to.match(/^Would replay 1 event: 1 told again \(1 callback\)/)
    }
  })

  it('counts without telling anyone', async () => {
    await book('a')
    told.length = 0
    const [{ id, counts }] = await listed<{ id: null; counts: object }>('replay', '--dry-run')
    expect([id, counts]).to.deep.equal([null, { told: 1, decided: 0, overtaken: 0, leftOut: 0, tells: 1 }])
    await bench.inbox.drain()
    expect(told).to.deep.equal([])
  })

  it('leaves out what is overtaken, unless asked for', async () => {
    for (const delivery of calendlyStories.cancel({ key })) await bench.deliver(delivery)
    await bench.inbox.drain()
    const [left] = await listed<{ counts: object }>('replay', '--type', 'booking.created', '--dry-run')
    expect(left.counts).to.include({ told: 0, overtaken: 1 })
    const [asked] = await listed<{ counts: object }>(
      'replay',
      '--type',
      'booking.created',
      '--dry-run',
      '--overtaken',
    )
    expect(asked.counts).to.include({ told: 1, overtaken: 0 })
  })

  it('waits until all is told, and says how it ended', async () => {
    await book('a', 'b', 'c')
    told.length = 0
    const waiting = command('replay', '--wait')
    const worker = setInterval(() => void bench.inbox.drain(), 50)
    const { code, stdout } = await waiting
    clearInterval(worker)
    expect([code, told.length]).to.deep.equal([0, 3])
    expect(stdout).to.match(/^Replay rpl_\w+ is done: 3 told again \(3 callbacks\), 0 decided again, /)
  })

  it('goes on without whoever waits for it, and says so', async () => {
    await book('a')
    const waiting = start(['replay', '--wait', '--database', database])
    let said = ''
    waiting.stderr.setEncoding('utf8').on('data', text => {
      said += text
    })
    await until(async () => (await bench.inbox.replays()).length === 1)
    await new Promise(resolve => setTimeout(resolve, 500))
    const ended = new Promise(resolve => waiting.once('close', (code, signal) => resolve(signal ?? code)))
    waiting.kill('SIGINT')
    expect(await ended).to.equal('SIGINT')
    expect(said).to.match(/The replay rpl_\w+ goes on/)
    told.length = 0
    await bench.inbox.drain()
    expect(told).to.have.length(1)
  }).timeout(20_000)

  it('lists dead letters with what they died of, and tells them again', async () => {
    isDown = true
    await book('a', 'b')
    isDown = false
    await book('c')

    expect(await listed('dead')).to.have.length(2)
    const { stdout } = await command('dead')
    expect(stdout).to.match(/^received +event +type +for +attempts +last error\n/)
    expect(stdout.match(/ booking\.created +calendar +1 +Error$/gm)).to.have.length(2)

    const [asked] = await listed<{ scope: { events: number } }>('dead', 'replay')
    expect(asked.scope.events).to.equal(2)
    await bench.inbox.drain()
    expect(await listed('dead')).to.deep.equal([])
    expect((await command('dead')).stderr).to.equal('No dead letters.\n')
  })

  it('exits 1 where what it told ended as a dead letter again', async () => {
    isDown = true
    await book('a')
    const waiting = command('dead', 'replay', '--wait')
    const worker = setInterval(() => void bench.inbox.drain(), 50)
    const { code, stdout } = await waiting
    clearInterval(worker)
    expect(code).to.equal(1)
    expect(stdout).to.contain('1 of its tells ended as dead letters')
  })

  it('exits 1 for an event or a booking that is not known', async () => {
    await book('a')
    const unknown = await command('replay', '--event', 'evt_nope', '--wait')
    expect([unknown.code, unknown.stdout]).to.deep.equal([
      1,
      'No finished event fits: there is nothing to replay.\n',
    ])
    expect((await command('replay', '--booking', 'nope', '--dry-run')).code).to.equal(1)
    expect((await command('replay', '--account', 'nobody')).code).to.equal(0)
  })

  it('is used wrongly with a time range that ends before it begins', async () => {
    await book('a')
    const range = ['--from', '2027-03-02T00:00:00Z', '--to', '2027-03-01T00:00:00Z']
    for (const name of ['replay', 'events', 'dead']) expect((await command(name, ...range)).code).to.equal(2)
    expect((await command('dead', '--status', 'pending')).code, 'they are dead').to.equal(2)
    expect((await command('bookings', '--status', 'confirned')).code).to.equal(2)
  })

  it('narrows events and dead letters to a subscriber', async () => {
    isDown = true
    await book('a')
    for (const [name, found] of [
      ['calendar', 1],
      ['mail', 0],
    ] as const) {
      expect(await listed('events', '--subscriber', name, '--status', 'dead')).to.have.length(found)
      expect(await listed('dead', '--subscriber', name)).to.have.length(found)
    }
  })

  it('is used wrongly with a subscriber that is not known', async () => {
    await book('a')
    const { code, stderr } = await command('replay', '--subscriber', 'calender')
    expect(code).to.equal(2)
    expect(stderr).to.contain('calendar')
  })

  it('explains a booking in words and as JSON', async () => {
    for (const delivery of calendlyStories['late-create']({ key })) await bench.deliver(delivery)
    await bench.inbox.drain()
    const [{ bookingId }] = await listed('events')
    const { code, stdout } = await command('explain', bookingId!)
    expect(code).to.equal(0)
    expect(stdout).to.match(/is canceled\.\n/)
    expect(stdout).to.match(/Refused: .*\n/)
    const [story] = await listed<{ events: object[] }>('explain', bookingId!)
    expect(story.events).to.have.length(2)
    expect((await command('explain', 'nope')).code).to.equal(1)
    expect((await command('explain', bookingId!, '--provider', 'acuity')).code).to.equal(1)
  })
})
