import { deepEqual, equal, rejects } from 'node:assert/strict'
import {
  type ClaimedLane,
  isBookingWebhooksError,
  type SettleTransaction,
  type Store,
  type StoredEvent,
} from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { account, claim, newEvent, provider, runOut } from './events.js'
import { newBooking, newFact, settlementOf } from './settling.js'

const isLost = (error: unknown) => isBookingWebhooksError(error, 'LEASE_LOST')

/** Work in many lanes at once, which a store may do together: what goes wrong in one lane is that lane's own. */
export function manyContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('many lanes at once', () => {
    it(
      'are settled each as if it were alone, whichever of them fail, before or after they wrote',
      on(async ({ store, probe }) => {
        const lanes = await claimedLanes(store, 40)
        const events = await eventsIn(store, lanes)
        const ends = await Promise.allSettled(
          lanes.map((lane, index) =>
            store.settle(lane, async transaction => {
              if (index === 7) throw new RangeError('before it read anything')
              await settleBooking(transaction, events.get(lane))
              if (index === 9) throw new RangeError('after it wrote')
              return index
            }),
          ),
        )
        for (const [index, end] of ends.entries())
          if (index === 7 || index === 9)
            equal(end.status === 'rejected' && end.reason instanceof RangeError, true)
          else deepEqual(end, { status: 'fulfilled', value: index })
        const { rows } = await store.bookings({}, { limit: 100, cursor: null })
        deepEqual(
          rows.map(({ id }) => id).sort(),
          lanes.flatMap((_, index) => (index === 7 || index === 9 ? [] : `b${index}`)).sort(),
        )
        equal(await probe.count('tells'), 38)
        const left = await Promise.all(lanes.map(lane => store.pendingEvents(lane, 10)))
        deepEqual(
          left.flatMap((events, index) => (events.length > 0 ? index : [])),
          [7, 9],
        )
      }),
    )

    it(
      'are settled in the order in which they were claimed, where a link joins them',
      on(async ({ store }) => {
        // Each but the first follows the one before it, as the moves of one booking do.
        const lanes = await claimedLanes(store, 12)
        const events = await eventsIn(store, lanes)
        const settled: number[] = []
        await Promise.all(
          lanes.map((lane, index) =>
            store.settle(lane, async transaction => {
              const before = index === 0 ? [] : [`b:b${index - 1}`]
              await transaction.lockThread(provider, account, [`b:b${index}`, ...before])
              await settleBooking(transaction, events.get(lane))
              settled.push(index)
            }),
          ),
        )
        deepEqual(settled, [...lanes.keys()])
      }),
    )

    it(
      'keep a zombie among them from writing, and no other',
      on(async ({ store, another, probe }) => {
        const lanes = await claimedLanes(store, 20)
        const events = await eventsIn(store, lanes)
        const zombie = lanes[11] as ClaimedLane
        await runOut(store, zombie)
        await claim(await another())
        const settle = (lane: ClaimedLane) =>
          store.settle(lane, transaction => settleBooking(transaction, events.get(lane)))
        await Promise.all(lanes.map(lane => (lane === zombie ? rejects(settle(lane), isLost) : settle(lane))))
        const released = await Promise.all(lanes.map(lane => store.release(lane, { to: 'idle' })))
        deepEqual(
          released,
          lanes.map(lane => lane !== zombie),
        )
        equal(await probe.count('tells'), 19)
      }),
    )

    it(
      'are told each for itself: attempts begin, end and fail, and lanes go where their holders say',
      on(async ({ store }) => {
        for (const [lane, event] of await eventsIn(store, await claimedLanes(store, 20))) {
          await store.settle(lane, transaction => settleBooking(transaction, event))
          await store.release(lane, { to: 'idle' })
        }
        const lanes = await claim(store, 'tell')
        const zombie = lanes[3] as ClaimedLane
        const tells = await Promise.all(
          lanes.map(async lane => {
            const [tell] = await store.pendingTells(lane, 10)
            if (!tell) throw new Error('nothing to tell')
            return { lane, tell }
          }),
        )
        deepEqual(
          await Promise.all(tells.map(({ lane, tell }) => store.beginAttempt(lane, tell))),
          lanes.map(() => 1),
        )
        await runOut(store, zombie)
        await claim(store, 'tell')
        const streaks = await Promise.all(
          tells.map(async ({ lane, tell }, index) => {
            const ending = store.endAttempt(
              lane,
              tell,
              index % 5 === 0 ? { is: 'failed', error: `No ${index}.` } : { is: 'done' },
            )
            if (lane !== zombie) return ending
            await rejects(ending, isLost)
            return null
          }),
        )
        equal(streaks.filter(streak => streak === null).length, 1)
        await Promise.all(
          tells.map(({ lane }, index) =>
            store.release(
              lane,
              index % 5 === 0 ? { to: 'later', afterMs: 60_000, failures: index + 1 } : { to: 'idle' },
            ),
          ),
        )
        const { rows } = await store.events({}, { limit: 100, cursor: null })
        const ended = rows.flatMap(row => row.tells.map(({ status, lastError }) => `${status} ${lastError}`))
        deepEqual(ended.sort(), [
          ...Array(15).fill('done null'),
          ...['pending No 0.', 'pending No 10.', 'pending No 15.', 'pending No 5.'],
          'pending null',
        ])
        equal(await store.nextDue('tell', ['calendar']).then(ms => ms !== null && ms > 50_000), true)
      }),
    )
  })
}

/** Records so many events, each of a booking of its own (`b0`, `b1`, …), and claims their lanes in that order. */
async function claimedLanes(store: Store, count: number): Promise<ClaimedLane[]> {
  const events = Array.from({ length: count }, (_, index) => newEvent(`e${index}`, { booking: `b${index}` }))
  await store.record(events)
  const lanes = new Map((await claim(store)).map(lane => [lane.key, lane]))
  return events.map(({ lane }) => lanes.get(lane) as ClaimedLane)
}

/** The one event of each lane. */
async function eventsIn(store: Store, lanes: ClaimedLane[]): Promise<Map<ClaimedLane, StoredEvent>> {
  const pending = await Promise.all(lanes.map(lane => store.pendingEvents(lane, 10)))
  return new Map(lanes.map((lane, index) => [lane, pending[index]?.[0] as StoredEvent]))
}

/** Its booking is made, and one subscriber is told. */
async function settleBooking(transaction: SettleTransaction, event: StoredEvent | undefined): Promise<void> {
  if (!event || !(await transaction.event(event.id))) throw new Error('nothing to settle')
  const id = event.bookingId as string
  await transaction.lockThread(provider, account, [`b:${id}`])
  await transaction.write(
    settlementOf(event, { fact: newFact(id), booking: newBooking(id), tells: ['calendar'] }),
  )
}
