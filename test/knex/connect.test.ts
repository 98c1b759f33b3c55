import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import knex from 'knex'
import { anEvent } from './support/an-event.js'
import { backDoor, eachDatabase, sqliteDatabase, type TestDatabase } from './support/databases.js'

describe('knexStore(database)', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await sqliteDatabase()
  })
  afterEach(() => database.drop())

  it('takes a path, sqlite:PATH or a Knex configuration', async () => {
    const secrets = new Set<string>()
    for (const argument of [
      database.url,
      `sqlite:${database.url}`,
      `sqlite://${database.url}`,
      { client: 'better-sqlite3', connection: { filename: database.url } },
    ]) {
      const store = knexStore(argument)
      secrets.add((await store.open()).secret)
      await store.close()
    }
    expect(secrets.size).to.equal(1)
  })

  it('leaves a Knex instance that it was handed open', async () => {
    const own = backDoor(database.url)
    const store = knexStore(own)
    await store.open()
    await store.close()
    expect(await own('booking_webhooks_events').count({ n: '*' })).to.deep.equal([{ n: 0 }])
    await own.destroy()
  })

  it('waits for the disk at each commit, on its own connections and on one that was handed in', async () => {
    const synchronous: unknown[] = []
    const store = knexStore({
      client: 'better-sqlite3',
      connection: { filename: database.url },
      pool: {
        afterCreate(connection: { pragma(name: string): unknown }, done: (...args: unknown[]) => void) {
          synchronous.push(connection.pragma('synchronous'))
          done(null, connection)
        },
      },
    })
    await store.open()
    await store.close()
    const own = backDoor(database.url)
    await knexStore(own).open()
    synchronous.push(await own.raw('PRAGMA synchronous'))
    await own.destroy()
    expect(synchronous).to.deep.equal([[{ synchronous: 2 }], [{ synchronous: 2 }]])
  })

  it('sets each connection of a Knex instance that it was handed, also those that its pool makes later', async () => {
    const made: unknown[] = []
    const own = knex({
      client: 'better-sqlite3',
      connection: { filename: database.url },
      useNullAsDefault: true,
      pool: {
        min: 0,
        max: 1,
        idleTimeoutMillis: 20,
        reapIntervalMillis: 10,
        afterCreate(connection: unknown, done: (...args: unknown[]) => void) {
          made.push(connection)
          done(null, connection)
        },
      },
    })
    await knexStore(own).open()
    while (own.client.pool.numFree() > 0) await sleep(10)
    const settings = [await own.raw('PRAGMA synchronous'), await own.raw('PRAGMA busy_timeout')]
    await own.destroy()
    expect(made.length).to.be.greaterThan(1)
    expect(settings).to.deep.equal([[{ synchronous: 2 }], [{ timeout: 5 }]])
  })

  it('says what is wrong with an argument that cannot work', () => {
    const wrong: [Parameters<typeof knexStore>, RegExp][] = [
      [[undefined], /DATABASE_URL/],
      [[''], /DATABASE_URL/],
      [['redis://localhost'], /begins with redis:/],
      [['sqlite:'], /names no file/],
      [[{ client: 'oracledb' }], /oracledb/],
      [[{ client: 'sqlite3' }], /sqlite3/],
      [[database.url, { prefix: 'Bad-Prefix; DROP' }], /prefix/],
    ]
    for (const [args, message] of wrong)
      expect(() => knexStore(...args))
        .to.throw(message)
        .with.property('code', 'INVALID_OPTION')
  })

  it('refuses a URL that would open another database, and does not repeat it', () => {
    const wrong = [
      'postgres://app:SE#CRET@db.example/production',
      'postgres://app:12#SECRET@db.example/production',
      'postgres://app:12/SECRET@db.example/production',
      'postgres://app:12?SECRET@db.example/production',
      'postgres://app:SE/CRET@db.example/production',
      'postgres://app:SECRET@db example/production',
      'postgres://app:SECRET@/production',
      'postgres://app:SECRET%FF@db.example/production',
      'postgres:/app:SECRET@db.example/production',
      'postgres:SECRET',
      'postgres://db.example/SECRET#1',
      'mysql://app:SE%CRET@db.example/production',
      'mysql://app:SE#CRET@db.example/production',
      'mariadb://app:SECRET@db example/production',
      'sqlite://SECRET.db',
      'sqlite://./SECRET.db',
    ]
    for (const url of wrong)
      expect(() => knexStore(url), url)
        .to.throw(/percent-encode|Write sqlite:PATH/i)
        .that.satisfies((error: Error & { code: string }) => error.code === 'INVALID_OPTION')
        .and.satisfies((error: Error) => !JSON.stringify({ ...error, text: String(error) }).includes('CRET'))
  })

  it('takes URLs without a host, of sockets, and with what is special in them encoded', async () => {
    for (const url of [
      'postgres:///bookings?host=/var/run/postgresql',
      'postgres://app:secret@%2Fvar%2Frun%2Fpostgresql/bookings',
      'postgres:///bookings',
      'postgres://app:a%23b%2Fc@db.example:6432/bookings',
      'postgres://app:100%@db.example/bookings?sslmode=disable',
      'postgres://app:p@ss@db.example/bookings',
      'postgres:///bookings?user=app@tenant&host=db.example',
      'mysql:///bookings?socketPath=/run/mysqld/mysqld.sock',
      'mariadb://app:a%25b@[::1]:3306/bookings',
    ])
      await knexStore(url).close()
    const { TEST_POSTGRES_URL } = process.env
    if (!TEST_POSTGRES_URL) return
    const { hostname, port, username, password, pathname } = new URL(TEST_POSTGRES_URL)
    const hostless = new URLSearchParams({ host: hostname, port, user: username, password })
    const store = knexStore(`postgres://${pathname}?${hostless}`)
    await store.ping()
    await store.close()
  })

  for (const scheme of ['postgres', 'mysql'])
    it(`keeps a connection to ${scheme} alive unless it is told not to`, async () => {
      const off = scheme === 'mysql' ? 'enableKeepAlive' : 'keepAlive'
      const client = scheme === 'mysql' ? 'mysql2' : 'pg'
      expect(await keptAlive(at => `${scheme}://nobody@127.0.0.1:${at}/none`)).to.deep.equal([[true, 30_000]])
      expect(await keptAlive(at => `${scheme}://nobody@127.0.0.1:${at}/none?${off}=false`)).to.deep.equal([])
      expect(
        await keptAlive(at => ({ client, connection: { host: '127.0.0.1', port: at, [off]: false } })),
      ).to.deep.equal([])
    })

  it('takes the clock that it is handed', async () => {
    const store = knexStore(database.url, { now: () => 1_767_258_000_000_001 })
    await store.open()
    expect(await store.connect('example', 'default', null)).to.equal(1_767_258_000_000_001)
    await store.close()
  })

  for (const url of [
    'postgres://nobody@127.0.0.1:9/none',
    'mysql://nobody@127.0.0.1:9/none',
    '/no/such/directory/ledger.db',
  ])
    it(`says that ${url} does not answer`, async () => {
      const store = knexStore(url)
      for (const ask of [store.open, store.ping, () => store.record([])]) {
        const error = await ask().then(
          () => null,
          (reason: unknown) => reason,
        )
        expect(error).to.include({ code: 'STORE_UNAVAILABLE' })
      }
      await store.close()
    })
})

/** How a store asks its sockets to be kept alive, in one attempt to reach a server that hangs up. */
async function keptAlive(database: (port: number) => Parameters<typeof knexStore>[0]): Promise<unknown[]> {
  const server = createServer(socket => void setTimeout(() => socket.destroy(), 20))
  const { setKeepAlive } = Socket.prototype
  const asked: unknown[][] = []
  Socket.prototype.setKeepAlive = function (...args) {
    asked.push(args)
    return setKeepAlive.apply(this, args)
  }
  try {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const store = knexStore(database((server.address() as AddressInfo).port))
    await store.ping().catch(() => {})
    await store.close()
    return asked.slice(0, 1)
  } finally {
    Socket.prototype.setKeepAlive = setKeepAlive
    server.close()
  }
}

eachDatabase((name, make) => {
  it(`knexStore(url) on ${name} is named after its database`, async () => {
    const database = await make()
    const store = knexStore(database.url)
    await store.open()
    expect(store.name).to.equal({ SQLite: 'sqlite', PostgreSQL: 'postgres' }[name] ?? 'mysql')
    await store.close()
    await database.drop()
  })

  it(`knexStore(url) on ${name} says so when it is asked after close()`, async () => {
    const database = await make()
    const store = knexStore(database.url)
    await store.open()
    await store.close()
    for (const ask of [
      store.ping,
      store.health,
      () => store.events({}, { limit: 1, cursor: null }),
      () => store.erase({ booking: 'B' }, { dropPending: false }),
      () => store.record([anEvent('1')]),
      store.sweep,
    ]) {
      const error = await ask().catch((reason: unknown) => reason)
      expect(error).to.include({ code: 'STORE_UNAVAILABLE' })
      expect(error).to.have.property('message').that.includes('closed')
    }
    await database.drop()
  })
})
