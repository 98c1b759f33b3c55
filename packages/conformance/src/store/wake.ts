import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedLane } from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { claim, claimOne, newEvent } from './events.js'
import { settleOne } from './settling.js'

/** Waking: work that comes at any moment is seen. */
export function wakeContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('waking', () => {
    it(
      'makes a lane due again that got work while it was in hands',
      on(async ({ store }) => {
        await store.record([newEvent('first', { booking: 'one' })])
        const lane = await claimOne(store)
        await settleOne(store, lane, newEvent('first').id)
        await store.record([newEvent('second', { booking: 'one' })])
        deepEqual(await claim(store), [], 'a lane in flight was pulled forward')
        await store.release(lane, { to: 'idle' })
        const again = await claimOne(store)
        deepEqual(
          (await store.pendingEvents(again, 10)).map(({ id }) => id),
          [newEvent('second').id],
        )
      }),
    )

    it(
      'pulls no lane out of its back-off',
      on(async ({ store }) => {
        await store.record([newEvent('first', { booking: 'one' })])
        await store.release(await claimOne(store), { to: 'later', afterMs: 60_000, failures: 1 })
        await store.record([newEvent('second', { booking: 'one' })])
        deepEqual(await claim(store), [])
      }),
    )

    it(
      'is not caused by a repeat',
      on(async ({ store }) => {
        await store.record([newEvent('a')])
        const lane = await claimOne(store)
        await settleOne(store, lane, newEvent('a').id)
        await store.record([newEvent('a')])
        await store.release(lane, { to: 'idle' })
        equal(await store.nextDue('settle', []), null)
      }),
    )

    it(
      'loses nothing when work and the end of work meet, in thirty races',
      on(async ({ store, another }) => {
        const other = await another()
        await store.record([newEvent('start', { booking: 'one' })])
        for (let round = 0; round < 30; round++) {
          const lane = await claimOne(store)
          for (const { id } of await store.pendingEvents(lane, 10)) await settleOne(store, lane, id)
          await Promise.all([
            store.release(lane, { to: 'idle' }),
            other.record([newEvent(`round ${round}`, { booking: 'one' })]),
          ])
          ok((await store.nextDue('settle', [])) !== null, `round ${round} is stranded`)
        }
        deepEqual(await store.sweep(), { lanes: 0, waiting: 0 })
      }),
    )

    it(
      'keeps a timed look for its time, and lets what comes meanwhile pass it',
      on(async ({ store }) => {
        const look = newEvent('look', { booking: 'one', origin: 'look', afterMs: 500 })
        await store.record([look])
        deepEqual(await claim(store), [])
        await store.record([newEvent('now', { booking: 'one' })])
        const lane = await claimOne(store)
        deepEqual(
          (await store.pendingEvents(lane, 10)).map(({ id }) => id),
          [newEvent('now').id],
        )
        await settleOne(store, lane, newEvent('now').id)
        await store.release(lane, { to: 'idle' })
        deepEqual(await claim(store), [])
        await sleep((await store.nextDue('settle', [])) ?? 0)
        const again = await claimOne(store)
        deepEqual(
          (await store.pendingEvents(again, 10)).map(({ id, origin }) => [id, origin]),
          [[look.id, 'look']],
        )
        deepEqual(await store.sweep(), { lanes: 0, waiting: 0 })
      }),
    )

    it(
      'makes the lanes of named events due with the commit that says so',
      on(async ({ store }) => {
        const [other, waiter] = [newEvent('other'), newEvent('waiter')]
        await store.record([other, waiter])
        const lanes = await claim(store)
        for (const lane of lanes)
          for (const { id } of await store.pendingEvents(lane, 1)) await settleOne(store, lane, id)
        const laneOf = (event: typeof other) => lanes.find(({ key }) => key === event.lane) as ClaimedLane
        await store.release(laneOf(waiter), { to: 'idle' })
        const wake = (after?: Error) =>
          store.settle(laneOf(other), async transaction => {
            await transaction.wake([waiter.id])
            if (after) throw after
          })
        await rejects(wake(new TypeError('a bug in the caller')), TypeError)
        deepEqual(await claim(store), [])
        await wake()
        const lane = await claimOne(store)
        equal(lane.key, waiter.lane)
        // Whoever has it may have looked already.
        await wake()
        await store.release(lane, { to: 'idle' })
        equal((await claimOne(store)).key, waiter.lane)
      }),
    )
  })
}
