import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import workerThreads, { type Worker } from 'node:worker_threads'
import { laneKey, type NewEvent, type Store } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { anEvent } from './support/an-event.js'
import { backDoor, sqliteDatabase, type TestDatabase } from './support/databases.js'

describe('the thread that stores events on SQLite', () => {
  let database: TestDatabase
  let door: Knex
  let threads: Worker[]
  const started = (thread: Worker) => threads.push(thread)
  beforeEach(async () => {
    database = await sqliteDatabase()
    door = backDoor(database.url)
    threads = []
    process.on('worker', started)
  })
  afterEach(async () => {
    process.off('worker', started)
    await door.destroy()
    await database.drop()
  })

  /** A store whose thread runs, as it does a moment after its first delivery. */
  async function warm(): Promise<{ store: Store; thread: Worker }> {
    const store = knexStore(database.url)
    await store.open()
    const starts = once(process, 'worker')
    await store.record([anEvent('first')])
    const [thread] = (await starts) as [Worker]
    await once(thread, 'message')
    return { store, thread }
  }
  const rows = () => door('booking_webhooks_events').orderBy('sequence')

  it('stores what the process would: repeats counted, bytes as they came, lanes due when they are', async () => {
    const { store, thread } = await warm()
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => at % 256))
    const events: NewEvent[] = [
      { ...anEvent('a'), body: bytes },
      { ...anEvent('b'), body: null },
      { ...anEvent('c', laneKey('settle', 'later')), afterMs: 60_000, receivedUs: 5 },
      { ...anEvent('d'), body: new Uint8Array() },
      { ...anEvent('c', laneKey('settle', 'later')), receivedUs: 9 },
      anEvent('first'),
    ]
    const answered = once(thread, 'message')
    const recorded = await store.record(events)
    await answered
    expect(recorded.map(({ isNew, deliveries }) => [isNew, deliveries])).to.deep.equal([
      [true, 1],
      [true, 1],
      [true, 2],
      [true, 1],
      [false, 2],
      [false, 2],
    ])
    const stored = await rows()
    expect(stored.map(row => [row.dedupe_key, row.deliveries, row.last_received_us])).to.deep.equal([
      ['first', 2, 1],
      ['a', 1, 1],
      ['b', 1, 1],
      ['c', 2, 9],
      ['d', 1, 1],
    ])
    expect(stored.map(row => row.body && [...row.body])).to.deep.equal([
      [...Buffer.from('{}')],
      [...bytes],
      null,
      [...Buffer.from('{}')],
      [],
    ])
    const due = (await door('booking_webhooks_lanes')).map(({ lane, due_us, fence, wake }) => [
      lane === laneKey('settle', 'later'),
      due_us - fence,
      wake,
    ])
    expect(due.sort()).to.deep.equal([
      [false, 0, 1],
      [false, 0, 1],
      [false, 0, 1],
      [false, 0, 1],
      [true, 60_000_000, 1],
    ])
    await store.close()
  })

  it('waits for the disk at each commit', async () => {
    const { store, thread } = await warm()
    await door.raw(`CREATE TABLE seen (synchronous int)`)
    await door.raw(`CREATE TRIGGER look AFTER INSERT ON booking_webhooks_events
      BEGIN INSERT INTO seen SELECT synchronous FROM pragma_synchronous; END`)
    const answered = once(thread, 'message')
    await store.record([anEvent('a')])
    await answered
    expect(await door('seen')).to.deep.equal([{ synchronous: 2 }])
    await store.close()
  })

  it('waits for another process that writes, and the app goes on', async () => {
    const { store } = await warm()
    const other = await door.transaction()
    await other('booking_webhooks_lanes').update({ wake: 1 })
    const recorded = store.record([anEvent('a')])
    let turns = 0
    for (const end = performance.now() + 300; performance.now() < end; turns += 1) await sleep(1)
    await other.commit()
    expect((await recorded)[0]?.isNew).to.equal(true)
    // In the process, each try would hold it up for 5 ms.
    expect(turns).to.be.greaterThan(100)
    await store.close()
  })

  it('says what the driver says, in the same words', async () => {
    const { store } = await warm()
    await door.raw(`CREATE TRIGGER refuse BEFORE INSERT ON booking_webhooks_events WHEN new.dedupe_key = 'bad'
      BEGIN SELECT raise(ABORT, 'a guest'); END`)
    const error = await store.record([anEvent('good'), anEvent('bad')]).catch((reason: unknown) => reason)
    expect(error).to.include({ code: 'STORE_REFUSED' })
    expect(String(error)).to.contain('SQLITE_CONSTRAINT_TRIGGER').and.not.contain('a guest')
    expect(await rows(), 'all or nothing').to.have.length(1)
    await store.close()
  })

  it('loses nothing when it ends: the process goes on by itself', async () => {
    const { store, thread } = await warm()
    const asked = Array.from({ length: 20 }, (_, number) => store.record([anEvent(`k${number}`)]))
    void thread.terminate()
    const recorded = (await Promise.all(asked)).flat()
    expect(recorded).to.have.length(20)
    expect((await rows()).length).to.equal(21)
    expect((await store.record([anEvent('after')]))[0]?.isNew).to.equal(true)
    expect(threads).to.have.length(1)
    await store.close()
  })

  it('ends with the store, after what it was given', async () => {
    const { store, thread } = await warm()
    const exit = once(thread, 'exit')
    const recorded = store.record(Array.from({ length: 2_000 }, (_, number) => anEvent(`k${number}`)))
    await sleep(5)
    await store.close()
    await exit
    expect(await recorded).to.have.length(2_000)
    expect((await rows()).length).to.equal(2_001)
  })

  it('stores in the file that is open, wherever the process has gone since', async () => {
    const [home, here, there] = [process.cwd(), dirname(database.url), mkdtempSync(join(tmpdir(), 'bw-'))]
    try {
      process.chdir(there)
      const other = knexStore('ledger.db')
      await other.open()
      await other.close()
      process.chdir(here)
      const store = knexStore('ledger.db')
      await store.open()
      process.chdir(there)
      const starts = once(process, 'worker')
      await store.record([anEvent('a')])
      const [thread] = (await starts) as [Worker]
      await once(thread, 'message')
      await store.record([anEvent('b')])
      expect(await rows()).to.have.length(2)
      await store.close()
    } finally {
      process.chdir(home)
      rmSync(there, { recursive: true })
    }
  })

  it('ends with the store whatever the process preloads', async function () {
    this.timeout(20_000)
    const preload = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
    const script = join(dirname(database.url), 'closes.mjs')
    writeFileSync(
      script,
      `import { knexStore } from '${import.meta.resolve('@booking-webhooks/knex')}'
       import { anEvent } from '${import.meta.resolve('./support/an-event.js')}'
       const store = knexStore(process.argv[2])
       await store.open()
       process.on('worker', thread => thread.once('message', async () => { await store.close(); process.exit() }))
       await store.record([anEvent('a')])
       setTimeout(async () => { await store.close(); process.exit() }, 1500)`,
    )
    for (const code of [
      'setInterval(() => {}, 1000)',
      `import { isMainThread } from 'node:worker_threads'
       if (!isMainThread) await new Promise(() => setInterval(() => {}, 1000))`,
    ])
      await promisify(execFile)(process.execPath, ['--import', preload(code), script, database.url], {
        timeout: 6_000,
      })
  })

  it('is done without where the process may start no more of them', async () => {
    const { Worker: Real } = workerThreads
    Object.assign(workerThreads, {
      Worker: class {
        constructor() {
          throw Object.assign(new Error('no more'), { code: 'ERR_WORKER_INIT_FAILED' })
        }
      },
    })
    syncBuiltinESMExports()
    try {
      const store = knexStore(database.url)
      await store.open()
      for (const key of ['a', 'b']) expect((await store.record([anEvent(key)]))[0]?.isNew).to.equal(true)
      await store.close()
    } finally {
      Object.assign(workerThreads, { Worker: Real })
      syncBuiltinESMExports()
    }
  })

  it('is done without where the process may have none', async function () {
    this.timeout(20_000)
    const script = join(dirname(database.url), 'permitted.mjs')
    writeFileSync(
      script,
      `import { knexStore } from '${import.meta.resolve('@booking-webhooks/knex')}'
       import { anEvent } from '${import.meta.resolve('./support/an-event.js')}'
       const store = knexStore(process.argv[2])
       await store.open()
       for (const key of ['a', 'b', 'a']) await store.record([anEvent(key)])
       await store.close()
       console.log(process.permission.has('worker'))`,
    )
    const isOld = !process.allowedNodeEnvironmentFlags.has('--permission')
    const permission = isOld ? '--experimental-permission' : '--permission'
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...[permission, '--allow-addons', '--allow-fs-read=*', '--allow-fs-write=*'],
      ...[script, database.url],
    ])
    expect(stdout).to.equal('false\n')
    expect((await rows()).map(row => [row.dedupe_key, row.deliveries])).to.deep.equal([
      ['a', 2],
      ['b', 1],
    ])
  })

  it('is no other database: not in memory, not for a Knex instance of yours, nor where each connection is made ready', async () => {
    const own = backDoor(database.url)
    for (const argument of [
      own,
      ':memory:',
      { client: 'better-sqlite3', connection: { filename: ' :memory: ' } },
      { client: 'better-sqlite3', connection: { filename: ':memory:' } },
      {
        client: 'better-sqlite3',
        connection: { filename: database.url },
        pool: {
          afterCreate: (connection: unknown, done: (...args: unknown[]) => void) => done(null, connection),
        },
      },
    ]) {
      const store = knexStore(argument)
      await store.open()
      for (const key of ['a', 'b']) await store.record([anEvent(key)])
      await store.close()
    }
    await own.destroy()
    expect(threads).to.deep.equal([])
  })
})
