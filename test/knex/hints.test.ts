import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import { anEvent } from './support/an-event.js'
import { serverDatabase, sqliteDatabase } from './support/databases.js'

describe('hints from process to process', function () {
  this.timeout(60_000)

  it('are not promised by a database that has none', async () => {
    const database = await sqliteDatabase()
    const store = knexStore(database.url)
    expect(store.onWork).to.equal(undefined)
    await store.close()
    await database.drop()
  })

  const url = process.env.TEST_POSTGRES_URL
  if (!url) it.skip('PostgreSQL is not covered: TEST_POSTGRES_URL is not set')
  else
    it('on PostgreSQL tell another process of new work, and not oneself', async () => {
      const database = await serverDatabase(url)
      const [here, there] = [knexStore(database.url), knexStore(database.url)]
      await here.open()
      await there.open()
      const heard = { here: 0, there: 0 }
      const stop = here.onWork?.(() => {
        heard.here += 1
      })
      there.onWork?.(() => {
        heard.there += 1
      })
      const until = async (isSo: () => boolean) => {
        for (let tries = 0; !isSo() && tries < 500; tries++)
          await new Promise(resolve => setTimeout(resolve, 10))
      }
      // Each is told once that it may have missed something before it listened.
      await until(() => heard.here === 1 && heard.there === 1)
      await here.record([anEvent('1')])
      await until(() => heard.there === 2)
      expect(heard).to.deep.equal({ here: 1, there: 2 })
      stop?.()
      await here.close()
      await there.close()
      await database.drop()
    })
})
