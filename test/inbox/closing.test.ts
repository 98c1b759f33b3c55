import { EventEmitter, once } from 'node:events'
import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { createInbox } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import { sqliteDatabase, type TestDatabase } from '../knex/support/databases.js'
import { received } from '../support/received.js'
import { type LogLine, listLog, signingKey, type Workbench, workbench } from '../support/workbench.js'

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

describe('an inbox that is closed while a delivery is being stored', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await sqliteDatabase()
  })
  afterEach(() => database.drop())

  it('claims nothing from then on, and leaves what it accepted to the next', async () => {
    const store = knexStore(database.url)
    const recording = new EventEmitter()
    let claims = 0
    const inbox = createInbox({
      providers: [calendly({ signingKey })],
      store: {
        ...store,
        async record(events) {
          recording.emit('asked')
          await once(recording, 'allowed')
          return store.record(events)
        },
        claim(request) {
          claims += 1
          return store.claim(request)
        },
      },
      subscribers: { nobody: { takes: ['*'], tell: () => {} } },
      pollMs: 1,
      log: listLog([]),
    })
    await inbox.start()
    const delivery = received(calendlyDelivery({ key: signingKey, event: 'invitee.created' }))
    const answer = inbox.receive('calendly', delivery)
    await once(recording, 'asked')
    expect(claims).to.be.above(0)

    const closed = inbox.close()
    const before = claims
    await new Promise(resolve => setTimeout(resolve, 50))
    recording.emit('allowed')
    expect(await answer).to.include({ status: 200 })
    await closed
    expect(claims).to.equal(before)

    const next = workbench({ database: database.url })
    await next.inbox.drain()
    expect(next.toldInShort()).to.deep.equal(['booking.created IN1'])
    await next.close()
  })
})

describe('an inbox whose store answers no more', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await sqliteDatabase()
  })
  afterEach(() => database.drop())

  it('closes all the same, and says so', async function () {
    this.timeout(30_000)
    const store = knexStore(database.url)
    const silence = new Promise<never>(() => {})
    let isSilent = false
    const lines: LogLine[] = []
    const inbox = createInbox({
      providers: [calendly({ signingKey })],
      store: {
        ...store,
        claim: request => (isSilent ? silence : store.claim(request)),
        close: async () => {
          await store.close()
          await silence
        },
      },
      subscribers: { nobody: { takes: ['*'], tell: () => {} } },
      pollMs: 1,
      log: listLog(lines),
    })
    await inbox.start()
    isSilent = true
    await new Promise(resolve => setTimeout(resolve, 50))
    const began = performance.now()
    await inbox.close()
    expect(performance.now() - began).to.be.below(10_000)
    expect(lines.slice(-1).map(({ level, message }) => [level, message])).to.deep.equal([
      ['warn', 'closed, but the store hangs: it was not waited for'],
    ])
  })
})

describe('an observer of an inbox', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await sqliteDatabase()
  })
  afterEach(() => database.drop())

  function observed(store = knexStore(database.url)) {
    const calls: string[] = []
    const inbox = createInbox({
      providers: [calendly({ signingKey })],
      store,
      log: listLog([]),
      observe: {
        watch() {
          calls.push('watch')
          return () => calls.push('unwatch')
        },
      },
    })
    return { inbox, calls }
  }

  it('watches once, after all that may fail', async () => {
    const store = knexStore(database.url)
    let failures = 2
    const { inbox, calls } = observed({
      ...store,
      async seen(names) {
        failures -= 1
        if (failures >= 0) throw new Error('gone')
        await store.seen(names)
      },
    })
    for (let n = 0; n < 3; n += 1) await inbox.start().catch(() => {})
    expect(calls).to.deep.equal(['watch'])
    await inbox.close()
    await inbox.close()
    expect(calls).to.deep.equal(['watch', 'unwatch'])
  })

  it('watches no inbox that is closed while it opens', async () => {
    const { inbox, calls } = observed()
    const starting = inbox.start()
    await inbox.close()
    await starting.catch(() => {})
    expect(calls.filter(call => call === 'watch')).to.have.length(
      calls.filter(call => call === 'unwatch').length,
    )
  })
})
