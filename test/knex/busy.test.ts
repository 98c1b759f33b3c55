import { isBookingWebhooksError, type Store } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { anEvent } from './support/an-event.js'
import { backDoor, eachDatabase, type TestDatabase } from './support/databases.js'

eachDatabase((name, make) => {
  describe(`a lock on ${name} that somebody else holds`, function () {
    this.timeout(60_000)
    let database: TestDatabase
    let store: Store
    let back: Knex
    before(async () => {
      database = await make()
      store = knexStore(database.url)
      await store.open()
      back = backDoor(database.url)
    })
    after(async () => {
      await store.close()
      await back.destroy()
      await database.drop()
    })

    it('keeps an event waiting for a moment, then it is STORE_BUSY, and stored once the lock is gone', async () => {
      const event = anEvent('1')
      await store.record([event])
      const lock = await back.transaction()
      await lock('booking_webhooks_lanes').update({ wake: 7 })
      const began = performance.now()
      const error = await store.record([anEvent('2', event.lane)]).then(
        () => null,
        (reason: unknown) => reason,
      )
      expect(isBookingWebhooksError(error, 'STORE_BUSY'), String(error)).to.equal(true)
      expect(performance.now() - began).to.be.within(200, 5_000)
      await lock.rollback()
      expect((await store.record([anEvent('2', event.lane)]))[0]?.isNew).to.equal(true)
    })
  })
})
