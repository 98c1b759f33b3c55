import { calendly } from '@booking-webhooks/calendly'
import { calendlyStories } from '@booking-webhooks/calendly/testing'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { anEvent } from '../knex/support/an-event.js'
import { type Ledger, sharedGrounds } from '../support/ledgers.js'
import { signingKey, type Workbench, type WorkbenchOptions, workbench } from '../support/workbench.js'

const dayMs = 86_400_000
const table = (name: string) => `booking_webhooks_${name}`

for (const ground of sharedGrounds())
  describe(`what is kept, on ${ground.name}`, function () {
    this.timeout(60_000)
    let ledger: Ledger
    let bench: Workbench
    let nowMs: number
    beforeEach(async () => {
      ledger = await ground.open()
      nowMs = Date.UTC(2027, 2, 1, 9)
    })
    afterEach(async () => {
      await bench.close()
      await ledger.close()
    })

    function begin(options: WorkbenchOptions = {}): void {
      bench = workbench({
        database: ledger.database,
        providers: [calendly({ signingKey, tolerance: { pastSeconds: 86_400, futureSeconds: 86_400 } })],
        now: () => new Date(nowMs),
        store: { now: () => nowMs * 1000 },
        ...options,
      })
    }

    /** A story whose meeting is in a week. */
    async function play(name: keyof typeof calendlyStories, until = 9): Promise<void> {
      const deliveries = calendlyStories[name]({
        key: signingKey,
        sentAt: new Date(nowMs),
        prefix: `${name}-`,
        startsAt: new Date(nowMs + 7 * dayMs),
      })
      for (const delivery of deliveries.slice(0, until)) {
        await bench.deliver(delivery)
        await bench.inbox.drain()
      }
    }

    async function sweepAfter(days: number): Promise<void> {
      nowMs += days * dayMs
      await bench.inbox.sweep()
      await bench.inbox.drain()
    }

    const failing = (isDown: () => boolean) => ({
      memory: {
        takes: ['*'],
        tell() {
          if (isDown()) throw new Error('down')
        },
        attempts: 1,
      },
    })

    it('is blank 30 days after the later of its end and its booking’s end, and holds no guest from then on', async () => {
      begin({
        on: {
          'booking.created': ({ booking }, { once }) =>
            once('calendar', () => ({ entry: 1, for: booking.attendee?.email })),
          'booking.rescheduled': () => {},
          'booking.conflict': null,
          'booking.canceled': () => {},
        },
      })
      await play('reschedule')
      await sweepAfter(0.1)
      const before = await guests(ledger.knex)
      expect(before).to.include.members(['events.body', 'events.told', 'bookings.details', 'steps.result'])
      await sweepAfter(30)
      expect(await guests(ledger.knex), 'the meetings were 23 and 22 days ago').to.deep.equal(before)
      await sweepAfter(8.5)
      expect(await guests(ledger.knex)).to.deep.equal([])
      expect(await ledger.knex(table('slots'))).to.deep.equal([])
      const { rows } = await bench.inbox.events()
      expect(rows.map(row => row.outcome).sort()).to.deep.equal(['accepted', 'accepted', 'superseded'])
      expect((await bench.inbox.bookings()).rows.map(row => [row.status, row.attendee]).sort()).to.deep.equal(
        [
          ['confirmed', null],
          ['rescheduled', null],
        ],
      )
      const { scope } = await bench.inbox.replay({}, { dryRun: true })
      expect(scope).to.include({ events: 0, blank: 3 })
    })

    it('is an alert about a half of a reschedule that never came, but no longer', async () => {
      begin({
        providers: [calendly({ signingKey, missingHalfMs: 1, tolerance: { pastSeconds: 86_400 } })],
        onAlert() {},
      })
      await play('reschedule', 2)
      await sweepAfter(1)
      await sweepAfter(28)
      expect((await bench.inbox.health()).failing).to.have.length(1)
      await sweepAfter(3)
      expect((await bench.inbox.health()).failing).to.deep.equal([])
    })

    it('still guards bookings against what comes a year later', async () => {
      begin()
      await play('late-create', 1)
      await sweepAfter(60)
      expect(await guests(ledger.knex)).to.deep.equal([])
      nowMs -= 60 * dayMs
      const [, create] = calendlyStories['late-create']({
        key: signingKey,
        sentAt: new Date(nowMs),
        prefix: 'late-create-',
        startsAt: new Date(nowMs + 7 * dayMs),
      })
      await bench.deliver(create!)
      await bench.inbox.drain()
      expect((await bench.inbox.events()).rows[0]).to.include({ outcome: 'refused' })
    })

    it('stays while it is a dead letter, and goes once that was told', async () => {
      let isDown = true
      begin({ subscribers: failing(() => isDown) })
      await play('book')
      await sweepAfter(60)
      expect(await guests(ledger.knex)).to.include.members(['events.body', 'events.told'])
      isDown = false
      await bench.inbox.replay({ status: 'dead' })
      await bench.inbox.drain()
      await sweepAfter(29)
      expect(await guests(ledger.knex), 'it was told 29 days ago').to.include('events.told')
      await sweepAfter(2)
      expect(await guests(ledger.knex)).to.deep.equal([])
    })

    it('waits for a slot no longer than its meeting lasts', async () => {
      begin()
      await play('double-booking', 2)
      expect((await bench.inbox.events({ status: 'waiting' })).rows).to.have.length(1)
      await sweepAfter(8)
      expect((await bench.inbox.events({ status: 'waiting' })).rows).to.deep.equal([])
      expect((await bench.inbox.events({ outcome: 'conflict' })).rows[0]!.reason).to.include('has ended')
      await sweepAfter(31)
      expect(await guests(ledger.knex)).to.deep.equal([])
    })

    it('goes part by part, past what must stay', async () => {
      begin({ subscribers: failing(() => true), retentionDays: 1 })
      await play('book')
      const [event] = await ledger.knex(table('events'))
      const { sequence: _, ...copied } = { ...event, booking_id: null }
      const copies = Array.from({ length: 450 }, (_, number) => ({ ...copied, id: `evt_${number}` }))
      for (let at = 0; at < copies.length; at += 50)
        await ledger.knex(table('events')).insert(copies.slice(at, at + 50))
      await sweepAfter(10)
      const left = await ledger.knex(table('events')).where({ is_blank: false })
      expect(left).to.have.length(1)
    })

    describe('of a guest', () => {
      it('is erased by booking, with its whole thread and nothing else', async () => {
        begin()
        await play('reschedule')
        await play('double-booking', 2)
        // The half that came first asked for a look whether the other one comes.
        nowMs += 3_600_000
        await bench.inbox.drain()
        const moved = (await bench.inbox.bookings({ status: 'confirmed' })).rows.find(row =>
          row.id.endsWith('IN1b'),
        )!
        const erased = await bench.inbox.erase({ booking: moved.id })
        expect(erased).to.deep.equal({ bookings: 2, events: 3, waiting: 0 })
        const of = (id: string) => ledger.knex(table('events')).where('booking_id', 'like', `%${id}%`)
        for (const row of await of('reschedule-')) {
          expect(row).to.deep.include({
            body: null,
            told: null,
            snapshot: null,
            headers: null,
            fact_details: null,
          })
          expect(Number(row.erased_us)).to.equal(nowMs * 1000)
        }
        for (const row of await of('double-booking-')) expect(row.told).not.to.equal(null)
        expect((await bench.inbox.explain(moved.id))!.events[0]!.erasedAt).to.be.a('string')
        expect(await bench.inbox.erase({ booking: 'another' })).to.deep.equal({
          bookings: 0,
          events: 0,
          waiting: 0,
        })
      })

      it('is erased by address, in whatever case, also where no booking names it', async () => {
        begin()
        await play('book')
        await bench.calendly({
          event: 'meeting_poll.created',
          sentAt: new Date(nowMs),
          payload: { uri: 'https://api.calendly.com/polls/1', voter: 'ann@example.com' },
        })
        await bench.calendly({
          event: 'meeting_poll.created',
          sentAt: new Date(nowMs),
          payload: { uri: 'https://api.calendly.com/polls/2', voter: 'bob@example.com' },
        })
        const erased = await bench.inbox.erase({ email: 'Ann@Example.com' })
        expect(erased).to.deep.equal({ bookings: 1, events: 2, waiting: 0 })
        expect(await guests(ledger.knex, /ann@example\.com/)).to.deep.equal([])
        expect(await guests(ledger.knex, /bob@example\.com/)).to.include('events.body')
        expect(await failure(bench.inbox.erase({ email: 'ann' }))).to.include('one e-mail address')
      })

      it('is looked for in a few bodies at a time', async () => {
        begin()
        const store = knexStore(ledger.database)
        await store.open()
        const body = Buffer.from(`${' '.repeat(300_000)}ann@example.com`)
        const events = Array.from({ length: 7 }, (_, at) => ({ ...anEvent(`${at}`), body }))
        for (const event of events) await store.record([event])
        const { knex } = ledger
        await knex(table('events')).update({ status: 'settled', finished_us: 1 })
        const read: number[] = []
        knex.on('query-response', (rows: { body?: Buffer }[]) =>
          read.push([rows].flat(2).reduce((sum, row) => sum + (row?.body?.byteLength ?? 0), 0)),
        )
        const behind = knexStore(knex)
        const { events: erased } = await behind.erase({ email: 'ann@example.com' }, { dropPending: false })
        expect(erased).to.equal(7)
        expect(Math.max(...read)).to.be.within(600_000, 1 << 20)
        await store.close()
      })

      it('waits until what is pending was told, and is erased then', async () => {
        let isDown = true
        begin({
          subscribers: { memory: { ...failing(() => isDown).memory, attempts: 9 } },
          backoff: { baseMs: 1_000, capMs: 1_000 },
        })
        await play('book')
        const erased = await bench.inbox.erase({ email: 'ann@example.com' })
        expect(erased).to.deep.equal({ bookings: 1, events: 0, waiting: 1 })
        await bench.inbox.sweep()
        expect(await guests(ledger.knex)).to.include('events.told')
        isDown = false
        nowMs += 2_000
        await bench.inbox.drain()
        await bench.inbox.sweep()
        expect(await guests(ledger.knex)).to.deep.equal([])
        expect(await ledger.knex(table('erasures'))).to.deep.equal([])
        expect((await bench.inbox.events()).rows[0]).to.include({ status: 'done' })
      })

      it('is erased at once where what is pending is to be dropped', async () => {
        begin({
          subscribers: { memory: { ...failing(() => true).memory, attempts: 9 } },
          backoff: { baseMs: 1_000, capMs: 1_000 },
        })
        await play('book')
        const erased = await bench.inbox.erase({ email: 'ann@example.com' }, { dropPending: true })
        expect(erased).to.deep.equal({ bookings: 1, events: 1, waiting: 0 })
        expect(await guests(ledger.knex)).to.deep.equal([])
        nowMs += 2_000
        await bench.inbox.drain()
        expect((await bench.inbox.events()).rows[0]).to.deep.include({ status: 'done', tells: [] })
        expect(
          bench.lines.filter(({ level, message }) => level === 'error' && message !== 'alert'),
        ).to.deep.equal([])
      })
    })
  })

/** Every column of every table that holds the address of a guest. */
async function guests(knex: Knex, address = /(ann|bob)@example\.com/): Promise<string[]> {
  const found = new Set<string>()
  for (const name of [
    'events',
    'bookings',
    'tells',
    'steps',
    'subjects',
    'slots',
    'waiting',
    'alerts',
    'replays',
    'lanes',
  ])
    for (const row of await knex(table(name)))
      for (const [column, value] of Object.entries(row))
        if (address.test(value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)))
          found.add(`${name}.${column}`)
  return [...found].sort()
}

async function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'it did not fail',
    error => error.message,
  )
}
