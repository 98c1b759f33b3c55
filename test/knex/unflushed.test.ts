import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import { anEvent } from './support/an-event.js'
import { backDoor, sqliteDatabase, type TestDatabase } from './support/databases.js'

describe('what SQLite need not flush', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await sqliteDatabase()
  })
  afterEach(() => database.drop())

  it('is flushed by the next commit: claiming and releasing leave the connection waiting for the disk', async () => {
    const own = backDoor(database.url)
    const store = knexStore(own)
    await store.open()
    const flushes = async () => (await own.raw('PRAGMA synchronous'))[0].synchronous
    await store.record([anEvent('one')])
    const [lane] = await store.claim({
      kind: 'settle',
      limit: 1,
      leaseMs: 1_000,
      owner: 'a',
      subscribers: [],
    })
    expect(await flushes()).to.equal(2)
    expect(await store.release({ ...lane!, fence: lane!.fence + 1 }, { to: 'idle' })).to.equal(false)
    expect(await flushes()).to.equal(2)
    expect(await store.release(lane!, { to: 'idle' })).to.equal(true)
    expect(await flushes()).to.equal(2)
    await own.destroy()
  })
})
