import { inspect } from 'node:util'
import { laneKey } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import createKnex, { type Knex } from 'knex'
import { anEvent } from './support/an-event.js'
import { backDoor, serverDatabase, type TestDatabase } from './support/databases.js'

const url = process.env.TEST_MYSQL_URL

type Done = (error: unknown, rows?: unknown, fields?: unknown) => void
type Execute = (sql: string, values: unknown[], done: Done) => void
interface Connection {
  execute: Execute
  prepare(sql: string, done: (error: unknown, statement: { close(): void }) => void): void
}

describe('what MariaDB has prepared for storing', function () {
  this.timeout(60_000)
  if (!url) {
    it.skip('is not covered: TEST_MYSQL_URL is not set')
    return
  }
  let database: TestDatabase
  let back: Knex
  let knex: Knex
  let connection: Connection
  /** The texts that were to run prepared. */
  let executed: string[]
  /** What is done in place of that, if anything. */
  let instead: Execute | null

  before(async function () {
    const server = backDoor(url)
    const [[{ version }]] = await server.raw('SELECT version() AS version')
    await server.destroy()
    if (!/mariadb/i.test(version)) this.skip()
  })
  beforeEach(async () => {
    database = await serverDatabase(url)
    back = backDoor(database.url)
    executed = []
    instead = null
    knex = createKnex({
      client: 'mysql2',
      connection: database.url,
      pool: {
        min: 1,
        max: 1,
        afterCreate(made: Connection, done: (error: unknown, connection: unknown) => void) {
          const execute: Execute = made.execute.bind(made)
          made.execute = (sql, values, answered) => {
            executed.push(sql)
            ;(instead ?? execute)(sql, values, answered)
          }
          connection = made
          done(null, made)
        },
      },
    })
  })
  afterEach(async () => {
    await knex.destroy()
    await back.destroy()
    await database.drop()
  })

  const opened = async (options: Parameters<typeof knexStore>[1] = {}) => {
    const store = knexStore(knex, options)
    await store.open()
    return store
  }
  const batch = (name: string, size: number) =>
    Array.from({ length: size }, (_, index) => anEvent(`${name} ${index}`))
  /** How many statements of a kind the one session has run. */
  const ran = async (kind: string): Promise<number> => {
    const [[row]] = await knex.raw(`SHOW SESSION STATUS LIKE 'Com_${kind}'`)
    return Number(row.Value)
  }
  const storedCount = async (): Promise<number> => {
    const [row] = await back('booking_webhooks_events').sum({ n: 'deliveries' })
    return Number(row?.n)
  }

  it('is one statement for all batches up to each power of two', async () => {
    const store = await opened({ prefix: 'other_' })
    for (let size = 1; size <= 33; size++) await store.record(batch(String(size), size))
    expect(await ran('stmt_prepare')).to.equal(6)
    expect(executed).to.have.length(33)
  })

  it('looks up which events are new only where some are not', async () => {
    const store = await opened()
    for (let size = 1; size <= 33; size++) await store.record(batch(String(size), size))
    expect(await ran('insert_select')).to.equal(0)
    await store.record([...batch('33', 1), ...batch('new', 30)])
    expect(await ran('insert_select')).to.equal(1)
  })

  it('is nothing where the clock is a test’s own: each of its statements is another one', async () => {
    const store = await opened({ now: () => Date.now() * 1000 })
    expect((await store.record(batch('one', 3))).every(({ isNew }) => isNew)).to.equal(true)
    expect(executed).to.deep.equal([])
  })

  for (const errno of [1047, 1210, 1243, 1295, 1461, 1615])
    it(`is nothing more after error ${errno}: it is stored as text, once`, async () => {
      const store = await opened()
      instead = (_sql, _values, done) =>
        done(Object.assign(new Error('not prepared'), { errno, sqlState: 'HY000' }))
      for (const name of ['one', 'two'])
        expect((await store.record(batch(name, 5))).every(({ isNew }) => isNew)).to.equal(true)
      const [again] = await store.record(batch('two', 1))
      expect(again).to.include({ isNew: false, deliveries: 2 })
      expect(executed).to.have.length(1)
      expect(await storedCount()).to.equal(11)
    })

  it('may be gone, as a proxy gives the transaction another session: it is stored without', async () => {
    const store = await opened()
    await store.record(batch('one', 5))
    const [sql = ''] = executed
    // The driver goes on to think that the server has it.
    await new Promise<void>(resolve => {
      connection.prepare(sql, (_error, statement) => {
        statement.close()
        resolve()
      })
    })
    const errors: unknown[] = []
    const { execute } = connection
    connection.execute = (text, values, done) =>
      execute(text, values, (error, ...rest) => {
        errors.push((error as { errno?: number } | null)?.errno)
        done(error, ...rest)
      })
    for (const name of ['two', 'three'])
      expect((await store.record(batch(name, 5))).every(({ isNew }) => isNew)).to.equal(true)
    expect(errors).to.deep.equal([1243])
    expect(await storedCount()).to.equal(15)
  })

  it('does not run again as text where the server refused what it was to do', async () => {
    const store = await opened()
    const texts: string[] = []
    knex.on('query', ({ sql }: { sql: string }) => texts.push(sql))
    instead = (_sql, _values, done) =>
      done(Object.assign(new Error('no such table'), { errno: 1146, sqlState: '42S02' }))
    const error = await store.record(batch('one', 1)).catch((reason: unknown) => reason)
    expect(error).to.include({ code: 'STORE_REFUSED' })
    expect(texts.filter(sql => sql.includes('NOT ATOMIC'))).to.deep.equal([])
  })

  for (const isPrepared of [true, false])
    it(`quotes neither SQL nor what was bound when it is refused, ${isPrepared ? 'prepared' : 'as text'}`, async () => {
      const store = await opened(isPrepared ? {} : { now: () => Date.now() * 1000 })
      const guest = 'grace@example.com'
      const refused = { ...anEvent('1'), bookingId: guest.repeat(100), body: Buffer.from(guest) }
      const error = await store.record([refused]).catch((reason: unknown) => reason)
      expect(error).to.include({ code: 'STORE_REFUSED' })
      const said = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true })
      expect(said).not.to.match(/grace|INSERT|NOT ATOMIC|67726163/i)
      expect(executed).to.have.length(isPrepared ? 1 : 0)
      expect(await store.record([anEvent('1')])).to.deep.include({
        id: anEvent('1').id,
        isNew: true,
        deliveries: 1,
      })
    })

  it('dies with its connection; the next one prepares its own', async () => {
    const store = await opened()
    await store.record(batch('one', 5))
    const [[{ id }]] = await knex.raw('SELECT connection_id() AS id')
    const lock = await back.transaction()
    await lock('booking_webhooks_lanes').update({ wake: 7 })
    const waiting = store
      .record([anEvent('new', laneKey('settle', 'one 0'))])
      .catch((reason: unknown) => reason)
    await until(async () => {
      const [rows] = await back.raw(
        "SELECT 1 FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = ? AND trx_state = 'LOCK WAIT'",
        [id],
      )
      return rows.length > 0
    })
    await back.raw(`KILL ${id}`)
    expect(await waiting).to.include({ code: 'STORE_UNAVAILABLE' })
    await lock.rollback()
    expect((await store.record(batch('two', 5))).every(({ isNew }) => isNew)).to.equal(true)
    expect(executed).to.have.length(3)
    expect(await ran('stmt_prepare')).to.equal(1)
    expect(await storedCount()).to.equal(10)
  })
})

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(resolve => setTimeout(resolve, 5))
}
