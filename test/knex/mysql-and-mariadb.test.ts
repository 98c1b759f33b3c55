import { storeContract } from '@booking-webhooks/conformance'
import type { Store } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import createKnex, { type Knex } from 'knex'
import { anEvent } from './support/an-event.js'
import { asMysql } from './support/as-mysql.js'
import { serverDatabase, type TestDatabase } from './support/databases.js'
import { groundOn } from './support/ground.js'
import { mocha } from './support/mocha.js'

const url = process.env.TEST_MYSQL_URL

if (!url) it.skip('What sets MySQL and MariaDB apart is not covered: TEST_MYSQL_URL is not set')
else {
  storeContract(mocha, 'a MariaDB that is taken for MySQL', {
    start: async () => groundOn(await serverDatabase(url), asMysql),
  })

  for (const errno of [1203, 1226, 1698])
    it(`a server that lets nobody in, with error ${errno}, is unavailable`, async () => {
      const database = await serverDatabase(url)
      const store = knexStore(
        asMysql(database.url, sql =>
          sql.replace('SELECT 1', `SIGNAL SQLSTATE '42000' SET MYSQL_ERRNO = ${errno}`),
        ),
      )
      const error = await store.ping().catch((reason: unknown) => reason)
      expect(error).to.include({ code: 'STORE_UNAVAILABLE' })
      await store.close()
      await database.drop()
    })

  for (const [name, configure] of [
    ['as the server calls itself', (at: string): Knex.Config => ({ client: 'mysql2', connection: at })],
    ['taken for MySQL', asMysql],
  ] as const)
    describe(`the session that storing used, ${name}`, function () {
      this.timeout(60_000)
      let database: TestDatabase
      let knex: Knex
      let store: Store
      before(async () => {
        database = await serverDatabase(url)
        const config = configure(database.url)
        knex = createKnex({ ...config, pool: { ...config.pool, min: 1, max: 1 } })
        store = knexStore(knex)
        await store.open()
      })
      after(async () => {
        await knex.destroy()
        await database.drop()
      })

      const settings = async (): Promise<unknown> => {
        const [rows] = await knex.raw(
          "SHOW SESSION VARIABLES WHERE variable_name IN ('innodb_lock_wait_timeout', 'tx_isolation', 'transaction_isolation')",
        )
        return rows
      }

      it('is given back as it was, also after what the database refuses', async () => {
        await knex.raw('SET innodb_lock_wait_timeout = 7')
        const before = await settings()
        await store.record([anEvent('1')])
        await store.record([anEvent('1'), anEvent('2')])
        expect(await settings()).to.deep.equal(before)
        const refused = { ...anEvent('3'), receivedUs: null as unknown as number }
        expect(await store.record([refused]).catch((error: { code: string }) => error.code)).to.equal(
          'STORE_REFUSED',
        )
        expect(await settings()).to.deep.equal(before)
      })
    })
}
