import { deepEqual, equal, ok } from 'node:assert/strict'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { claim, newEvent, nineUs, recordAndClaim } from './events.js'
import { newBooking, settleOne, tellOf } from './settling.js'

/** The numbers for people who operate it. */
export function healthContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('its health', () => {
    it(
      'is all noughts where nothing is to be done',
      on(async ({ store }) => {
        const { schema, clockAheadMs, ...numbers } = await store.health()
        ok(schema.isCurrent)
        ok(Math.abs(clockAheadMs) < 60_000, 'the database’s clock is a minute off')
        deepEqual(numbers, {
          store: store.name,
          backlog: { events: { pending: 0, oldestMs: null }, tells: { pending: 0, oldestMs: null } },
          waiting: 0,
          dead: { events: 0, tells: 0 },
          lanesBackingOff: 0,
          unseen: [],
          failing: [],
          alertsToHandOver: 0,
          replaysRunning: 0,
          erasuresWaiting: 0,
        })
      }),
    )

    it(
      'counts what waits, what is dead and what rests, and since when',
      on(async ({ store }) => {
        await store.register(['calendar', 'gone', 'here'].map(name => ({ name, takes: ['*'] })))
        await store.seen(['calendar', 'here'])
        await tellOf(store, 'told', ['calendar', 'gone', 'here'], { booking: newBooking('booking of told') })
        for (const lane of await claim(store, 'tell', { subscribers: ['calendar', 'here'] }))
          for (const tell of await store.pendingTells(lane, 1)) {
            const isCalendar = tell.subscriber === 'calendar'
            const end = isCalendar ? ({ is: 'dead', error: 'No.' } as const) : null
            if (end) await store.endAttempt(lane, tell, end, { thresholds: [1], fields: {} })
            else await store.release(lane, { to: 'later', afterMs: 60_000, failures: 1 })
          }
        const dead = await recordAndClaim(store, newEvent('dead'))
        await settleOne(store, dead.lane, dead.stored.id, { status: 'dead', outcome: null })
        const waits = await recordAndClaim(store, newEvent('waits'))
        await settleOne(store, waits.lane, waits.stored.id, { status: 'waiting', outcome: 'conflict' })
        await store.record([newEvent('new'), newEvent('look', { origin: 'look', afterMs: 60_000 })])
        await store.erase({ booking: 'booking of told' }, { dropPending: false })
        const numbers = await store.health()
        equal(numbers.backlog.events.pending, 1)
        const ageMs = Date.now() - (nineUs + 1_000_000) / 1000
        ok(Math.abs((numbers.backlog.events.oldestMs ?? 0) - ageMs) < 120_000, 'the oldest came at nine')
        equal(numbers.backlog.tells.pending, 2)
        ok((numbers.backlog.tells.oldestMs ?? -1) >= 0 && (numbers.backlog.tells.oldestMs ?? 0) < 60_000)
        equal(numbers.waiting, 1)
        deepEqual(numbers.dead, { events: 1, tells: 1 })
        equal(numbers.lanesBackingOff, 1)
        deepEqual(numbers.unseen, [{ subscriber: 'gone', pending: 1, lastSeenAt: null }])
        deepEqual(numbers.failing, [{ subject: 'subscriber:calendar', consecutiveFailures: 1 }])
        equal(numbers.alertsToHandOver, 1)
        equal(numbers.erasuresWaiting, 1)
      }),
    )
  })
}
