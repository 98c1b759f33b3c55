import { deepEqual, equal } from 'node:assert/strict'
import type { ClaimedLane, Store, StoredTell } from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { claim, claimOne } from './events.js'
import { newBooking, tellOf, toldEvent } from './settling.js'

/** Telling: each subscriber by itself, attempts counted before they run. */
export function tellContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('telling', () => {
    it(
      'has a thread’s tells in order, for each subscriber in a lane of its own',
      on(async ({ store }) => {
        const events = []
        for (const key of ['b', 'a', 'c'])
          events.push(await tellOf(store, key, ['calendar', 'mail'], { thread: 'one thread' }))
        const lanes = await claim(store, 'tell', { subscribers: ['calendar', 'mail'] })
        equal(lanes.length, 2)
        for (const held of lanes) {
          let lane = held
          const tells = await store.pendingTells(lane, 2)
          deepEqual(
            tells.map(({ event }) => event),
            events.slice(0, 2).map(event => toldEvent(event)),
          )
          for (const tell of tells) await succeed(store, lane, tell)
          await store.release(lane, { to: 'idle' })
          lane = await claimOne(store, 'tell', { subscribers: [tells[0]?.subscriber ?? ''] })
          deepEqual(
            (await store.pendingTells(lane, 10)).map(({ eventId }) => eventId),
            [events[2]?.id],
          )
        }
      }),
    )

    it(
      'counts attempts, keeps the last error, and ends as done or dead',
      on(async ({ store }) => {
        const { id } = await tellOf(store, 'a', ['calendar', 'mail'])
        const statuses = async () => {
          const { rows } = await store.events({ event: id }, { limit: 1, cursor: null })
          return rows.flatMap(({ status, attempts, lastError, tells }) => [
            [status, attempts, lastError],
            ...tells.map(tell => [tell.subscriber, tell.status, tell.attempts, tell.lastError]),
          ])
        }
        const calendar = await oneTell(store, 'calendar')
        equal(await store.beginAttempt(calendar.lane, calendar.tell), 1)
        await store.endAttempt(calendar.lane, calendar.tell, { is: 'failed', error: 'No.' })
        equal(await store.beginAttempt(calendar.lane, calendar.tell), 2)
        await store.endAttempt(calendar.lane, calendar.tell, { is: 'done' })
        deepEqual(await statuses(), [
          ['pending', 2, 'No.'],
          ['calendar', 'done', 2, 'No.'],
          ['mail', 'pending', 0, null],
        ])
        equal(await store.beginAttempt(calendar.lane, calendar.tell), null)
        const mail = await oneTell(store, 'mail')
        await store.beginAttempt(mail.lane, mail.tell)
        await store.endAttempt(mail.lane, mail.tell, { is: 'dead', error: 'Never.' })
        deepEqual(await store.pendingTells(mail.lane, 10), [])
        deepEqual((await statuses())[0], ['dead', 2, 'No.'])
        deepEqual((await statuses())[2], ['mail', 'dead', 1, 'Never.'])
      }),
    )

    it(
      'ends a tell and does what comes next of the lane in the order asked for, without a wait in between',
      on(async ({ store }) => {
        const events = [
          await tellOf(store, 'a', ['calendar'], { thread: 'one thread' }),
          await tellOf(store, 'b', ['calendar'], { thread: 'one thread' }),
        ]
        const lane = await claimOne(store, 'tell', { subscribers: ['calendar'] })
        const [a, b] = (await store.pendingTells(lane, 10)) as [StoredTell, StoredTell]
        equal(await store.beginAttempt(lane, a), 1)
        const [, began] = await Promise.all([
          store.endAttempt(lane, a, { is: 'done' }),
          store.beginAttempt(lane, b),
        ])
        equal(began, 1)
        const [, isReleased] = await Promise.all([
          store.endAttempt(lane, b, { is: 'done' }),
          store.release(lane, { to: 'idle' }),
        ])
        equal(isReleased, true)
        equal(await store.nextDue('tell', ['calendar']), null)
        const { rows } = await store.events({}, { limit: 10, cursor: null })
        deepEqual(
          rows.map(row => [row.id, row.tells.map(({ status, attempts }) => [status, attempts])]),
          events.reverse().map(({ id }) => [id, [['done', 1]]]),
        )
        // Let go of, it is nobody's: what is asked for after that is refused.
        const late = await Promise.allSettled([
          store.release(lane, { to: 'idle' }),
          store.endAttempt(lane, b, { is: 'failed', error: 'Late.' }),
        ])
        deepEqual(
          late.map(({ status }) => status),
          ['fulfilled', 'rejected'],
        )
      }),
    )

    it(
      'counts a subscriber’s consecutive failures, over all processes',
      on(async ({ store, another }) => {
        await tellOf(store, 'a', ['calendar'])
        const { lane, tell } = await oneTell(store, 'calendar')
        const other = await another()
        const fail = (on: Store) => on.endAttempt(lane, tell, { is: 'failed', error: 'No.' })
        deepEqual(await fail(store), { consecutiveFailures: 1, endedStreak: 0, streak: 1, isRaised: false })
        deepEqual(await fail(other), { consecutiveFailures: 2, endedStreak: 0, streak: 1, isRaised: false })
        deepEqual(await store.endAttempt(lane, tell, { is: 'done' }), {
          consecutiveFailures: 0,
          endedStreak: 2,
          streak: 1,
          isRaised: false,
        })
        deepEqual(await other.endAttempt(lane, tell, { is: 'done' }), {
          consecutiveFailures: 0,
          endedStreak: 0,
          streak: 1,
          isRaised: false,
        })
        deepEqual(await other.endAttempt(lane, tell, { is: 'dead', error: 'No.' }), {
          consecutiveFailures: 1,
          endedStreak: 0,
          streak: 2,
          isRaised: false,
        })
      }),
    )

    it(
      'keeps the results of finished steps for each event and subscriber',
      on(async ({ store }) => {
        const { id } = await tellOf(store, 'a', ['calendar', 'mail'])
        const { lane, tell } = await oneTell(store, 'calendar')
        const results = new Map<string, unknown>([
          ['insert', { id: '🗓️ 1', at: [1, null] }],
          ['Insert', 'another name'],
          ['nothing', null],
        ])
        for (const [name, result] of results) await store.saveStep(lane, tell, name, result)
        await store.saveStep(lane, tell, 'insert', 'a second result')
        deepEqual(await store.steps(id, 'calendar'), results)
        deepEqual(await store.steps(id, 'mail'), new Map())
      }),
    )

    it(
      'tells no event twice under the same subscriber',
      on(async ({ store, probe }) => {
        await tellOf(store, 'a', ['calendar', 'calendar'], { booking: newBooking('A') })
        equal(await probe.count('tells'), 1)
      }),
    )
  })
}

async function oneTell(store: Store, subscriber: string): Promise<{ lane: ClaimedLane; tell: StoredTell }> {
  const lane = await claimOne(store, 'tell', { subscribers: [subscriber] })
  const [tell] = await store.pendingTells(lane, 1)
  if (!tell) throw new Error('nothing to tell')
  return { lane, tell }
}

async function succeed(store: Store, lane: ClaimedLane, tell: StoredTell): Promise<void> {
  await store.beginAttempt(lane, tell)
  await store.endAttempt(lane, tell, { is: 'done' })
}
