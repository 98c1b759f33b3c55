import { deepEqual, equal } from 'node:assert/strict'
import { type Fact, type Store, type StoredEvent, subjectsOf } from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { account, claim, newEvent, nineUs, provider, recordAndClaim } from './events.js'
import { newBooking, newFact, settlementOf, settleOne } from './settling.js'

/** Threads: what belongs together is found together and locked together. */
export function threadContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('a thread', () => {
    it(
      'is found from any of its bookings, through every link, and no further',
      on(async ({ store }) => {
        await known(store, 'A')
        await known(store, 'B', 'A')
        await known(store, 'C', 'B')
        await known(store, 'D', 'C')
        await known(store, 'other')
        for (const from of ['A', 'C', 'D']) {
          const { facts, bookings } = await threadOf(store, [`b:${from}`])
          deepEqual(
            facts.map(fact => fact.key),
            ['A', 'B', 'C', 'D'].map(id => `fact of ${id}`),
          )
          deepEqual(bookings.map(({ id }) => id).sort(), ['A', 'B', 'C', 'D'])
        }
      }),
    )

    it(
      'is found through a meeting whose persons it addresses',
      on(async ({ store }) => {
        for (const id of ['seat 1', 'seat 2']) {
          const target = {
            kind: 'person',
            meetingId: 'M',
            alias: `hash of ${id}`,
            named: null,
            newId: id,
          } as const
          await known(store, id, null, newFact(id, { target, meetingId: 'M', alias: target.alias }))
        }
        const { facts, bookings } = await threadOf(store, ['b:seat 1'])
        deepEqual([facts.length, bookings.map(({ id }) => id).sort()], [2, ['seat 1', 'seat 2']])
      }),
    )

    it(
      'is another one in another account, for another provider, or in another case',
      on(async ({ store }) => {
        await known(store, 'A')
        const { lane } = await recordAndClaim(store, newEvent('empty'))
        await store.settle(lane, async transaction => {
          for (const [whose, of, subject] of [
            [provider, 'another', 'b:A'],
            ['another', account, 'b:A'],
            [provider, account, 'b:a'],
          ] as const)
            deepEqual(await transaction.lockThread(whose, of, [subject]), {
              facts: [],
              bookings: [],
              waiting: [],
            })
        })
      }),
    )

    it(
      'has its facts in their order, whatever order they came in',
      on(async ({ store }) => {
        const times = [5, 1, 3, 3, 4].map(plus => nineUs + plus)
        for (const [index, occurredUs] of times.entries())
          await known(
            store,
            'A',
            null,
            newFact('A', { kind: 'updated', key: `fact ${index}`, occurredUs }),
            `${index}`,
          )
        const { facts } = await threadOf(store, ['b:A'])
        deepEqual(
          facts.map(({ key }) => key),
          ['fact 1', 'fact 2', 'fact 3', 'fact 4', 'fact 0'],
        )
      }),
    )

    it(
      'is settled by one at a time: of twenty at once each sees the facts of those before it',
      on(async ({ store, another }) => {
        const stores = [store, await another()]
        const keys = Array.from({ length: 20 }, (_, index) => `${index}`)
        const events = await recorded(store, keys)
        const lanes = await claim(store)
        const seen = await Promise.all(
          lanes.map((lane, index) =>
            (stores[index % 2] ?? store).settle(lane, async transaction => {
              const { facts } = await transaction.lockThread(provider, account, ['b:A'])
              const event = events.get(lane.key)
              if (!event) throw new Error('an unknown lane')
              const fact = newFact('A', { kind: 'updated', key: event.dedupeKey, occurredUs: nineUs + index })
              await transaction.write(settlementOf(event, { fact }))
              return facts.length
            }),
          ),
        )
        deepEqual(
          seen.sort((a, b) => a - b),
          [...keys.keys()],
        )
      }),
    )

    it(
      'that two links make at once is locked as one',
      on(async ({ store, another }) => {
        // Each of these links two bookings of one chain; whoever comes later must see all that links to its own.
        const links = Array.from({ length: 8 }, (_, index) => [`${index + 1}`, `${index}`] as const)
        const stores = [store, await another()]
        const events = await recorded(
          store,
          links.map(([id]) => id),
        )
        const lanes = await claim(store)
        await Promise.all(
          lanes.map((lane, index) => {
            const event = events.get(lane.key)
            if (!event) throw new Error('an unknown lane')
            const fact = newFact(event.dedupeKey, {
              previous: { kind: 'booking', id: `${Number(event.dedupeKey) - 1}` },
            })
            return (stores[index % 2] ?? store).settle(lane, async transaction => {
              await transaction.lockThread(provider, account, subjectsOf(fact))
              await transaction.write(settlementOf(event, { fact }))
            })
          }),
        )
        equal((await threadOf(store, ['b:4'])).facts.length, 8)
      }),
    )
  })
}

/** Records one event for each key, each in a lane of its own, and finds them by lane. */
async function recorded(store: Store, keys: readonly string[]): Promise<Map<string, StoredEvent>> {
  const events = keys.map(key => newEvent(key))
  await store.record(events)
  return new Map(
    events.map(event => [event.lane, { ...event, body: new Uint8Array() } as unknown as StoredEvent]),
  )
}

/** Makes a booking known, by an event of its own. */
async function known(
  store: Store,
  id: string,
  previous: string | null = null,
  fact: Fact = newFact(id, { previous: previous === null ? null : { kind: 'booking', id: previous } }),
  key = id,
): Promise<void> {
  const { lane, stored } = await recordAndClaim(store, newEvent(key, { booking: id }))
  await settleOne(store, lane, stored.id, { fact, booking: newBooking(id) })
  await store.release(lane, { to: 'idle' })
}

async function threadOf(store: Store, subjects: string[]) {
  const { lane } = await recordAndClaim(store, newEvent(`looking from ${subjects}`))
  const thread = await store.settle(lane, transaction => transaction.lockThread(provider, account, subjects))
  await store.release(lane, { to: 'later', afterMs: 60_000, failures: 1 })
  return thread
}
