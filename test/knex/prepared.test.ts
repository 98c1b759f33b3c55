import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import createKnex, { type Knex } from 'knex'
import { anEvent } from './support/an-event.js'
import { serverDatabase, type TestDatabase } from './support/databases.js'

const url = process.env.TEST_POSTGRES_URL

describe('what PostgreSQL has prepared for storing', function () {
  this.timeout(60_000)
  if (!url) {
    it.skip('is not covered: TEST_POSTGRES_URL is not set')
    return
  }
  let database: TestDatabase
  let knex: Knex
  /** The statements that this pool's sessions refused. */
  let refused: string[]
  beforeEach(async () => {
    database = await serverDatabase(url)
    // One session, as behind a pooler that hands out the same one again.
    knex = createKnex({ client: 'pg', connection: database.url, pool: { min: 1, max: 1 } })
    refused = []
    knex.on('query-error', (error: { code: string }) => refused.push(error.code))
  })
  afterEach(async () => {
    await knex.destroy()
    await database.drop()
  })

  const preparedNames = async (): Promise<string[]> => {
    const { rows } = await knex.raw(
      `SELECT name FROM pg_prepared_statements WHERE name LIKE 'booking_webhooks_%'`,
    )
    return rows.map(({ name }: { name: string }) => name)
  }

  it('is one statement for all batches', async () => {
    const store = knexStore(knex)
    await store.open()
    for (const name of ['1', '2', '3']) await store.record([anEvent(name)])
    await store.record([anEvent('4'), anEvent('5')])
    expect(await preparedNames()).to.have.length(1)
    expect(refused).to.deep.equal([])
  })

  it('is nothing where the clock is a test’s own: each of its statements is another one', async () => {
    const store = knexStore(knex, { now: () => Date.now() * 1000 })
    await store.open()
    await store.record([anEvent('1')])
    expect(await preparedNames()).to.deep.equal([])
  })

  it('may be gone, as a pooler gives the transaction another session: it is stored without', async () => {
    const store = knexStore(knex)
    await store.open()
    await store.record([anEvent('1')])
    await knex.raw('DEALLOCATE ALL')
    for (const name of ['2', '3']) expect((await store.record([anEvent(name)]))[0]?.isNew).to.equal(true)
    expect(refused).to.deep.equal(['26000'])
    expect(await preparedNames()).to.deep.equal([])
  })

  it('may be there already, as a pooler gives it a session of somebody else: it is stored without', async () => {
    const store = knexStore(knex)
    await store.open()
    await store.record([anEvent('1')])
    const [name] = await preparedNames()
    // Another session of the driver's, with what a neighbour prepared in it.
    await knex.destroy()
    knex.initialize()
    await knex.raw(`PREPARE ${name} AS SELECT 1`)
    expect((await store.record([anEvent('2')]))[0]?.isNew).to.equal(true)
    expect(refused).to.deep.equal(['42P05'])
  })
})
