import { deepEqual, equal, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NewAlert } from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { newEvent, nineUs, recordAndClaim } from './events.js'

const alert: NewAlert = {
  subject: 'subscriber:calendar',
  streak: 1,
  threshold: 5,
  kind: 'alert',
  fields: { subscriber: 'calendar', consecutiveFailures: 5 },
}

/** What all processes share: subscribers, accounts, streaks and alerts. */
export function togetherContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('all processes together', () => {
    it(
      'know each other’s subscribers, and what they take since they were last registered',
      on(async ({ store, another }) => {
        const other = await another()
        await Promise.all([
          store.register([
            { name: 'mail', takes: ['*'] },
            { name: 'calendar', takes: ['booking.created'] },
          ]),
          other.register([{ name: 'calendar', takes: ['booking.created'] }]),
        ])
        await other.register([{ name: 'calendar', takes: ['booking.created', 'provider.*'] }])
        const { lane } = await recordAndClaim(store, newEvent('a'))
        deepEqual(await store.settle(lane, transaction => transaction.subscribers()), [
          { name: 'calendar', takes: ['booking.created', 'provider.*'] },
          { name: 'mail', takes: ['*'] },
        ])
      }),
    )

    it(
      'agree since when an account is connected: since the first call',
      on(async ({ store, another }) => {
        const other = await another()
        const beforeUs = Date.now() * 1000 - 60_000_000
        const first = await store.connect('example', 'default', null)
        ok(first > beforeUs && first < beforeUs + 120_000_000, 'the database’s clock is a minute off')
        equal(await other.connect('example', 'default', nineUs), first)
        equal(await other.connect('example', 'second', nineUs), nineUs)
        equal(await store.connect('example', 'second', null), nineUs)
        const all = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            (index % 2 === 0 ? store : other).connect('example', 'third', index),
          ),
        )
        equal(new Set(all).size, 1)
      }),
    )

    it(
      'pause an account’s fetches for a time',
      on(async ({ store, another }) => {
        const other = await another()
        equal(await store.pausedFor('example', 'default'), 0)
        await store.pauseAccount('example', 'default', 60_000)
        const left = await other.pausedFor('example', 'default')
        ok(left > 50_000 && left <= 60_000, `${left} ms left`)
        equal(await other.pausedFor('example', 'another'), 0)
        await other.pauseAccount('example', 'default', null)
        equal(await store.pausedFor('example', 'default'), 0)
        await store.pauseAccount('example', 'default', 20)
        await sleep(40)
        equal(await store.pausedFor('example', 'default'), 0)
        equal(typeof (await store.connect('example', 'default', nineUs)), 'number')
      }),
    )

    it(
      'count the results of what is no subscriber, none lost of twenty at once',
      on(async ({ store, another }) => {
        const stores = [store, await another()]
        const streaks = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            (stores[index % 2] ?? store).countResult('signature:example/default', false),
          ),
        )
        deepEqual(
          streaks.map(({ consecutiveFailures }) => consecutiveFailures).sort((a, b) => a - b),
          Array.from({ length: 20 }, (_, index) => index + 1),
        )
        equal((await store.countResult('signature:example/default', true)).endedStreak, 20)
        equal((await store.countResult('signature:example/default', false)).streak, 2)
      }),
    )

    it(
      'raise an alert once for each crossing',
      on(async ({ store, another }) => {
        const stores = [store, await another()]
        const raised = await Promise.all(
          Array.from({ length: 20 }, (_, index) => (stores[index % 2] ?? store).raiseAlert(alert)),
        )
        equal(raised.filter(isOurs => isOurs).length, 1)
        equal(await store.raiseAlert({ ...alert, threshold: 20 }), true)
        equal(await store.raiseAlert({ ...alert, streak: 2 }), true)
        equal(await store.raiseAlert({ ...alert, threshold: 0, kind: 'recovered' }), true)
        equal(await store.raiseAlert({ ...alert, subject: 'subscriber:Calendar' }), true)
      }),
    )

    it(
      'hand an alert over once, and again where the process that took it died',
      on(async ({ store, another }) => {
        const other = await another()
        await store.raiseAlert(alert)
        const [taken] = await store.claimAlerts(0)
        deepEqual({ ...taken, id: 0 }, { ...alert, id: 0 })
        const [again] = await other.claimAlerts(60_000)
        deepEqual(again, taken)
        deepEqual(await store.claimAlerts(60_000), [])
        await store.raiseAlert({ ...alert, threshold: 20 })
        const [next] = await store.claimAlerts(0)
        await other.alertHandedOver(next as NonNullable<typeof next>)
        deepEqual(await store.claimAlerts(0), [])
      }),
    )

    it(
      'answer a ping',
      on(async ({ store }) => {
        await store.ping()
      }),
    )
  })
}
