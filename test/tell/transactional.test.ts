import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import type { BookingEvent, Handlers, TransactionalContext } from '@booking-webhooks/core'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { type Ledger, sharedGrounds } from '../support/ledgers.js'
import { signingKey, type Workbench, type WorkbenchOptions, workbench } from '../support/workbench.js'

type Context = TransactionalContext<Knex.Transaction>

for (const ground of sharedGrounds())
  describe(`a transactional subscriber on ${ground.name}`, function () {
    this.timeout(30_000)
    let ledger: Ledger<string>
    const benches: Workbench[] = []
    beforeEach(async () => {
      ledger = await ground.open()
      await ledger.knex.schema.createTable('entries', table => {
        table.string('event', 64).notNullable()
        table.integer('attempt').notNullable()
      })
    })
    afterEach(async () => {
      await Promise.all(benches.splice(0).map(bench => bench.close()))
      await ledger.close()
    })

    function begin(
      tell: (event: BookingEvent, context: Context) => unknown,
      options: WorkbenchOptions & { timeoutMs?: number } = {},
    ): Workbench {
      const { timeoutMs, ...others } = options
      const on = {
        'booking.created': tell,
        'booking.no_show': tell,
        'booking.rescheduled': null,
        'booking.conflict': null,
      } as Handlers<BookingEvent, TransactionalContext<unknown>>
      const bench = workbench({
        database: ledger.database,
        subscribers: { entries: { transactional: true, on, ...(timeoutMs ? { timeoutMs } : {}) } },
        ...others,
      })
      benches.push(bench)
      return bench
    }

    const entries = () => ledger.knex('entries').orderBy('attempt')
    const create = calendlyDelivery({ key: signingKey, event: 'invitee.created' })
    const write = (event: BookingEvent, { trx, attempt }: Context) =>
      trx('entries').insert({ event: event.id, attempt })

    it('commits what it wrote with the end of its tell, and nothing of a run that failed', async () => {
      const contexts: Context[] = []
      const bench = begin(async (event, context) => {
        contexts.push(context)
        await write(event, context)
        if (context.attempt < 3) throw new RangeError('after it wrote')
      })
      await bench.deliver(create)
      for (let round = 0; round < 20; round += 1) {
        await bench.inbox.drain()
        await sleep(5)
      }
      expect((await entries()).map(({ attempt }) => attempt)).to.deep.equal([3])
      const [event] = (await bench.inbox.events()).rows
      expect(event!.tells).to.deep.equal([
        { subscriber: 'entries', status: 'done', attempts: 3, lastError: 'RangeError' },
      ])
      expect(contexts[0]).to.have.property('trx')
      expect(contexts[0]).not.to.have.property('once')
    })

    it('commits nothing where its lane was lost meanwhile', async () => {
      let isLost = false
      const bench = begin(
        async (event, context) => {
          await write(event, context)
          if (isLost) return
          isLost = true
          // As if another process had taken the lane; it is undone with the rest.
          await context.trx('booking_webhooks_lanes').where({ kind: 'tell' }).increment('fence', 1)
        },
        { leaseMs: 1_000 },
      )
      await bench.deliver(create)
      await bench.inbox.drain()
      expect(await entries()).to.deep.equal([])
      expect((await bench.inbox.events()).rows[0]!.tells[0]).to.include({
        status: 'pending',
        attempts: 1,
        lastError: null,
      })
      expect(bench.lines.map(line => line.message)).to.include('lease lost')
      for (let round = 0; (await entries()).length === 0 && round < 100; round += 1) {
        await sleep(20)
        await bench.inbox.drain()
      }
      expect((await entries()).map(({ attempt }) => attempt)).to.deep.equal([2])
    })

    for (const end of ['commit', 'rollback'] as const)
      it(`is a dead letter that says why where its callback calls ${end} itself`, async () => {
        let runs = 0
        const bench = begin(async (event, context) => {
          runs += 1
          await write(event, context)
          await context.trx[end]()
        })
        await bench.deliver(create)
        await bench.inbox.drain()
        expect(runs).to.equal(1)
        const [event] = (await bench.inbox.events()).rows
        expect(event).to.include({ status: 'dead', attempts: 1 })
        expect(event!.lastError).to.match(/^The callback ended its transaction\./)
        expect(await entries()).to.have.length(end === 'commit' ? 1 : 0)
      })

    it('commits nothing of a run that took too long', async () => {
      const bench = begin(
        async (event, context) => {
          await write(event, context)
          await new Promise(() => {})
        },
        { timeoutMs: 50, attempts: 1 },
      )
      await bench.deliver(create)
      await bench.inbox.drain()
      expect(await entries()).to.deep.equal([])
      expect((await bench.inbox.events()).rows[0]!.lastError).to.match(
        /longer than 50 ms. Nothing was committed/,
      )
    })

    it('keeps nobody waiting who is about to store, or has something new for its lane', async () => {
      let isRunning = false
      let go = () => {}
      const gate = new Promise<void>(resolve => {
        go = resolve
      })
      const bench = begin(
        async (event, context) => {
          await write(event, context)
          isRunning = true
          await (ground.name === 'SQLite' ? sleep(400) : gate)
          isRunning = false
        },
        { dispatch: true, pollMs: 20 },
      )
      await bench.deliver(create)
      while (!isRunning) await sleep(5)
      const noShow = calendlyDelivery({ key: signingKey, event: 'invitee_no_show.created', noShow: 'NS1' })
      // SQLite has one writer: there the delivery waits, but no longer than the subscriber may take.
      expect((await bench.deliver(noShow)).status).to.equal(200)
      if (ground.name !== 'SQLite') {
        const settled = async () => (await bench.inbox.events({ outcome: 'accepted' })).rows.length
        while ((await settled()) < 2) await sleep(20)
        expect(isRunning, 'the callback runs all the while').to.equal(true)
        go()
      }
      while ((await entries()).length < 2) await sleep(20)
    })

    if (ground.name !== 'SQLite')
      it('leaves connections of the pool to who stores, however many callbacks run at once', async () => {
        let running = 0
        let letGo = () => {}
        const held = new Promise<void>(resolve => {
          letGo = resolve
        })
        const bench = begin(
          async () => {
            running += 1
            await held
          },
          { dispatch: true, pollMs: 20 },
        )
        const book = () => {
          const invitee = { id: randomUUID(), meeting: randomUUID(), hosts: [randomUUID()] }
          return bench.deliver(calendlyDelivery({ key: signingKey, event: 'invitee.created', invitee }))
        }
        await Promise.all(Array.from({ length: 16 }, book))
        while (running < 6) await sleep(5)
        const answers = await Promise.all(Array.from({ length: 5 }, book))
        expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200])
        // Knex's pool has ten connections.
        expect(running).to.equal(6)
        letGo()
        while (running < 21) await sleep(20)
      })

    if (ground.name === 'SQLite')
      it('has half a second unless it says otherwise: the one writer is taken meanwhile', async () => {
        const bench = begin(() => new Promise(() => {}), { attempts: 1 })
        await bench.deliver(create)
        const began = performance.now()
        await bench.inbox.drain()
        expect(performance.now() - began).to.be.within(450, 5_000)
        expect((await bench.inbox.events()).rows[0]!.lastError).to.include('longer than 500 ms')
      })

    it('has its effects exactly once, though its process is killed between its writes and their commit', async () => {
      const receiver = workbench({
        database: ledger.database,
        subscribers: {
          entries: { 'booking.created'() {}, 'booking.rescheduled': null, 'booking.conflict': null },
        },
      })
      benches.push(receiver)
      const people = 6
      for (let number = 0; number < people; number += 1) {
        const invitee = { id: `IN${number}`, meeting: `EV${number}`, hosts: [`US${number}`] }
        await receiver.deliver(calendlyDelivery({ key: signingKey, event: 'invitee.created', invitee }))
      }
      const settler = workbench({ database: ledger.database, subscribers: {} })
      benches.push(settler)
      await settler.inbox.drain()
      const exits: (string | number | null)[] = []
      for (const diesAfter of [1, 2, 3, 0]) exits.push(await worker(diesAfter))
      expect(exits).to.deep.equal(['SIGKILL', 'SIGKILL', 'SIGKILL', 0])
      const rows = await entries()
      expect(new Set(rows.map(({ event }) => event)).size).to.equal(people)
      expect(rows).to.have.length(people)
      expect(Math.max(...rows.map(({ attempt }) => attempt))).to.be.above(1)
    })

    function worker(diesAfter: number): Promise<string | number | null> {
      const options = JSON.stringify({ database: ledger.database, signingKey, diesAfter })
      const child = spawn(process.execPath, [join(import.meta.dirname, 'transactional-worker.js'), options], {
        stdio: 'inherit',
      })
      return new Promise(resolve => child.once('exit', (code, signal) => resolve(signal ?? code)))
    }
  })
