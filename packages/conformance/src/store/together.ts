import { deepEqual, equal, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AlertRule, Store, StoredAlert } from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { newEvent, nineUs, recordAndClaim } from './events.js'

const rule: AlertRule = { thresholds: [1, 5, 20], fields: { provider: 'example' } }

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
            (stores[index % 2] ?? store).countResult('signature:example/default', 1),
          ),
        )
        deepEqual(
          streaks.map(({ consecutiveFailures }) => consecutiveFailures).sort((a, b) => a - b),
          Array.from({ length: 20 }, (_, index) => index + 1),
        )
        equal((await store.countResult('signature:example/default', 0)).endedStreak, 20)
        equal((await store.countResult('signature:example/default', 1)).streak, 2)
      }),
    )

    it(
      'raise an alert with the result that crosses a threshold, once for each crossing, and one on recovery',
      on(async ({ store, another }) => {
        const stores = [store, await another()]
        const fail = (on: Store, failures = 1) => on.countResult('signature:example/default', failures, rule)
        await Promise.all(Array.from({ length: 20 }, (_, index) => fail(stores[index % 2] ?? store)))
        const raised = async () =>
          (await store.claimAlerts(60_000)).map(({ kind, streak, threshold, fields }) => [
            kind,
            streak,
            threshold,
            fields.consecutiveFailures,
          ])
        deepEqual(await raised(), [
          ['alert', 1, 1, 1],
          ['alert', 1, 5, 5],
          ['alert', 1, 20, 20],
        ])
        deepEqual(await store.failing(), ['signature:example/default'])
        equal((await store.countResult('signature:example/default', 0, rule)).isRaised, true)
        equal((await store.countResult('signature:example/default', 0, rule)).isRaised, false)
        deepEqual(await store.failing(), [])
        deepEqual(await raised(), [['recovered', 1, 0, 20]])
        deepEqual((await fail(store, 7)).consecutiveFailures, 7)
        deepEqual(await raised(), [
          ['alert', 2, 1, 1],
          ['alert', 2, 5, 5],
        ])
      }),
    )

    it(
      'hand an alert over once, and again where the process that took it died',
      on(async ({ store, another }) => {
        const other = await another()
        const fail = () => store.countResult('api:example/default', 1, rule)
        await fail()
        const [taken] = await store.claimAlerts(0)
        deepEqual(
          { ...taken, id: 0 },
          {
            id: 0,
            subject: 'api:example/default',
            streak: 1,
            threshold: 1,
            kind: 'alert',
            fields: { provider: 'example', consecutiveFailures: 1 },
            isFirst: true,
          },
        )
        const [again] = await other.claimAlerts(60_000)
        deepEqual(again, { ...taken, isFirst: false })
        deepEqual(await store.claimAlerts(60_000), [])
        for (let more = 0; more < 4; more += 1) await fail()
        const [next] = await store.claimAlerts(0)
        await other.alertHandedOver(next as NonNullable<typeof next>)
        deepEqual(await store.claimAlerts(0), [])
      }),
    )

    it(
      'leave an alert for a while to those that were at it, or are to look',
      on(async ({ store, another }) => {
        const other = await another()
        await store.countResult('api:example/default', 1, rule)
        deepEqual(await isFirst(store.claimAlerts(0, 300_000)), [true])
        deepEqual(await isFirst(other.claimAlerts(0, 300_000)), [])
        deepEqual(await isFirst(other.claimAlerts(20)), [false])
        deepEqual(await isFirst(store.claimAlerts(0, 300_000)), [])
        await sleep(50)
        deepEqual(await isFirst(store.claimAlerts(0, 10)), [false])
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

async function isFirst(claimed: Promise<StoredAlert[]>): Promise<boolean[]> {
  return (await claimed).map(alert => alert.isFirst)
}
