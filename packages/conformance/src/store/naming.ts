import { deepEqual, equal } from 'node:assert/strict'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { newEvent, recordAndClaim } from './events.js'
import { settleOne } from './settling.js'

/** Asking for a booking by its name: whatever bears that name is found. */
export function namingContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('naming a booking', () => {
    it(
      'finds its events, settled or not: for the list, the story and the erasure',
      on(async ({ store }) => {
        const booking = 'booking of both'
        const { lane, stored } = await recordAndClaim(store, newEvent('settled', { booking }))
        await settleOne(store, lane, stored.id, { outcome: 'ignored' })
        await store.record([newEvent('recorded', { booking }), newEvent('another')])
        const both = [stored.id, newEvent('recorded').id].sort()
        const { rows } = await store.events({ booking }, { limit: 10, cursor: null })
        deepEqual(rows.map(({ id }) => id).sort(), both)
        for (const of of [{}, { provider: 'example', account: 'default' }]) {
          const story = await store.explain(booking, of)
          deepEqual(story?.events.map(({ id }) => id).sort(), both)
        }
        equal(await store.explain(booking, { account: 'second' }), null)
        const erased = await store.erase({ booking }, { dropPending: false })
        deepEqual(erased, { bookings: 0, events: 1, waiting: 1 })
      }),
    )
  })
}
