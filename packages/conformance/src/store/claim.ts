import { deepEqual, equal, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { claim, claimOne, newEvent, runOut, settleLane } from './events.js'
import { tellOf } from './settling.js'

/** Claiming: a lane is in one pair of hands at a time. */
export function claimContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('claiming', () => {
    it(
      'gives each lane to one of twenty callers',
      on(async ({ store, another }) => {
        const stores = [store, await another()]
        // The first round is over before all connections are made.
        for (let round = 0; round < 3; round++) {
          const events = Array.from({ length: 60 }, (_, index) => newEvent(`${round} ${index}`))
          await store.record(events)
          const claims = await Promise.all(
            Array.from({ length: 20 }, (_, index) =>
              claim(stores[index % 2] ?? store, 'settle', { limit: 5, owner: `worker ${index}` }),
            ),
          )
          const keys = [...claims.flat(), ...(await claim(store))].map(({ key }) => key)
          equal(new Set(keys).size, keys.length, 'a lane was given out twice')
          deepEqual([...keys].sort(), events.map(({ lane }) => lane).sort())
        }
      }),
    )

    it(
      'takes no more than asked for, the longest due first',
      on(async ({ store }) => {
        const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
        for (const key of keys) {
          await store.record([newEvent(key)])
          await sleep(3)
        }
        const lanes = await claim(store, 'settle', { limit: 6 })
        deepEqual(
          lanes.map(({ key }) => key),
          keys.slice(0, 6).map(key => newEvent(key).lane),
        )
      }),
    )

    it(
      'gives a lane again when its lease ran out, and says that it was left',
      on(async ({ store }) => {
        await store.record([newEvent('a')])
        const first = await claimOne(store, 'settle', { owner: 'dead' })
        equal(first.isAbandoned, false)
        deepEqual(await claim(store), [])
        await runOut(store, first)
        const second = await claimOne(store)
        deepEqual([second.key, second.isAbandoned], [first.key, true])
        ok(second.fence > first.fence)
        equal(await store.release(second, { to: 'later', afterMs: 0, failures: 1 }), true)
        const third = await claimOne(store)
        deepEqual([third.isAbandoned, third.failures], [false, 1])
      }),
    )

    it(
      'leaves a lane alone whose lease is renewed',
      on(async ({ store }) => {
        await store.record([newEvent('a')])
        const lane = await claimOne(store, 'settle', { leaseMs: 0 })
        equal(await store.renew(lane, 60_000), true)
        deepEqual(await claim(store), [])
      }),
    )

    it(
      'leaves a lane alone until its back-off is over, and says when that is',
      on(async ({ store }) => {
        equal(await store.nextDue('settle', []), null)
        await store.record([newEvent('a')])
        equal(await store.nextDue('settle', []), 0)
        await store.release(await claimOne(store), { to: 'later', afterMs: 60_000, failures: 3 })
        deepEqual(await claim(store), [])
        const wait = await store.nextDue('settle', [])
        ok(wait !== null && wait > 30_000 && wait <= 60_000, `due in ${wait} ms`)
        await store.record([newEvent('b')])
        await store.release(await claimOne(store), { to: 'later', afterMs: 5, failures: 3 })
        await sleep(10)
        equal((await claimOne(store)).failures, 3)
      }),
    )

    it(
      'gives tells only to those who have their subscriber, each subscriber its share',
      on(async ({ store }) => {
        for (let index = 0; index < 8; index++) await tellOf(store, `busy ${index}`, ['busy'])
        await tellOf(store, 'other', ['other', 'elsewhere'])
        const lanes = await claim(store, 'tell', { limit: 4, subscribers: ['busy', 'other'] })
        const subscribers = await Promise.all(
          lanes.map(async lane => (await store.pendingTells(lane, 1))[0]?.subscriber),
        )
        deepEqual(subscribers.sort(), ['busy', 'busy', 'busy', 'other'])
        deepEqual(await claim(store, 'settle', { subscribers: ['busy'] }), [])
        equal(await store.nextDue('tell', ['elsewhere']), 0)
        equal(await store.nextDue('tell', ['unheard of']), null)
      }),
    )

    it(
      'does not starve behind lanes in back-off',
      on(async ({ store }) => {
        await store.record(Array.from({ length: 50 }, (_, index) => newEvent(`blocked ${index}`)))
        for (const lane of await claim(store))
          await store.release(lane, { to: 'later', afterMs: 60_000, failures: 1 })
        await store.record([newEvent('fresh')])
        equal((await claimOne(store, 'settle', { limit: 1 })).key, settleLane('booking of fresh'))
      }),
    )
  })
}
