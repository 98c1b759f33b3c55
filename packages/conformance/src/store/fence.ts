import { deepEqual, equal, rejects } from 'node:assert/strict'
import { isBookingWebhooksError } from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { claimOne, newEvent, runOut } from './events.js'
import { settleOne, tellOf } from './settling.js'

const isLost = (error: unknown) => isBookingWebhooksError(error, 'LEASE_LOST')

/** The fence: who lost a lane writes nothing more, whatever it still believes. */
export function fenceContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('the fence', () => {
    it(
      'keeps a zombie from settling',
      on(async ({ store, another, probe }) => {
        const event = newEvent('a')
        await store.record([event])
        const zombie = await claimOne(store)
        await runOut(store, zombie)
        const lane = await claimOne(await another())
        await rejects(store.saveSnapshot(zombie, event.id, { from: 'zombie' }), isLost)
        await rejects(store.fetchFailed(zombie, event.id, { error: 'from the zombie', counts: true }), isLost)
        let hasRun = false
        await rejects(
          store.settle(zombie, async () => {
            hasRun = true
          }),
          isLost,
        )
        equal(hasRun, false)
        deepEqual(
          [await store.renew(zombie, 60_000), await store.release(zombie, { to: 'idle' })],
          [false, false],
        )
        const [stored] = await store.pendingEvents(lane, 10)
        deepEqual([stored?.snapshot, stored?.attempts, stored?.status], [null, 0, 'pending'])
        equal(await store.renew(lane, 60_000), true)
        equal(await probe.count('tells'), 0)
      }),
    )

    it(
      'keeps a zombie from telling',
      on(async ({ store, probe }) => {
        await tellOf(store, 'a', ['calendar'])
        const zombie = await claimOne(store, 'tell')
        const [tell] = await store.pendingTells(zombie, 10)
        if (!tell) throw new Error('nothing to tell')
        equal(await store.beginAttempt(zombie, tell), 1)
        await runOut(store, zombie)
        const lane = await claimOne(store, 'tell')
        await rejects(store.beginAttempt(zombie, tell), isLost)
        await rejects(store.endAttempt(zombie, tell, { is: 'done' }), isLost)
        await rejects(store.saveStep(zombie, tell, 'mail', 'sent'), isLost)
        equal(await probe.count('steps'), 0)
        equal(await store.beginAttempt(lane, tell), 2)
      }),
    )

    it(
      'refuses a zombie and nothing of the lane’s holder, however much is asked for together',
      on(async ({ store }) => {
        await tellOf(store, 'a', ['calendar'])
        const zombie = await claimOne(store, 'tell')
        const [tell] = await store.pendingTells(zombie, 10)
        if (!tell) throw new Error('nothing to tell')
        await runOut(store, zombie)
        const lane = await claimOne(store, 'tell')
        const late = Promise.allSettled(
          Array.from({ length: 100 }, () => store.endAttempt(zombie, tell, { is: 'done' })),
        )
        equal(await store.beginAttempt(lane, tell), 1)
        deepEqual(new Set((await late).map(({ status }) => status)), new Set(['rejected']))
      }),
    )

    it(
      'holds after the lane was let go',
      on(async ({ store }) => {
        await store.record([newEvent('a')])
        const lane = await claimOne(store)
        await settleOne(store, lane, newEvent('a').id)
        equal(await store.release(lane, { to: 'idle' }), true)
        deepEqual(
          [await store.renew(lane, 60_000), await store.release(lane, { to: 'idle' })],
          [false, false],
        )
        equal(await store.nextDue('settle', []), null)
      }),
    )

    it(
      'rolls a settlement back whose lane is lost while it is being settled',
      on(async ({ store, probe }) => {
        await store.record([newEvent('a')])
        const lane = await claimOne(store)
        await rejects(
          settleOne(store, { ...lane, fence: lane.fence + 1 }, newEvent('a').id, { tells: ['calendar'] }),
          isLost,
        )
        equal(await probe.count('tells'), 0)
      }),
    )
  })
}
