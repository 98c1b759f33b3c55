import { deepEqual, equal, rejects } from 'node:assert/strict'
import { isBookingWebhooksError, type NewEvent } from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { newEvent } from './events.js'

/** Recording: once, all or nothing, and a repeat is counted. */
export function recordContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('recording', () => {
    it(
      'stores what is new and counts what is not',
      on(async ({ store }) => {
        const [a, b] = [newEvent('a'), newEvent('b')]
        deepEqual(await store.record([b, a]), [
          { id: b.id, isNew: true, deliveries: 1 },
          { id: a.id, isNew: true, deliveries: 1 },
        ])
        const later = { ...a, receivedUs: a.receivedUs + 5 }
        deepEqual(await store.record([later]), [{ id: a.id, isNew: false, deliveries: 2 }])
        const earlier = { ...a, receivedUs: a.receivedUs - 5 }
        deepEqual(await store.record([earlier, newEvent('c')]), [
          { id: a.id, isNew: false, deliveries: 3 },
          { id: newEvent('c').id, isNew: true, deliveries: 1 },
        ])
        const { rows } = await store.events({ event: a.id }, { limit: 10, cursor: null })
        deepEqual(
          rows.map(row => [row.deliveries, row.receivedAt, row.lastReceivedAt]),
          [[3, '2026-01-01T09:00:01.000001Z', '2026-01-01T09:00:01.000006Z']],
        )
      }),
    )

    it(
      'counts a repeat within one batch',
      on(async ({ store, probe }) => {
        const a = newEvent('a')
        const recorded = await store.record([a, newEvent('b'), a, a])
        deepEqual(
          recorded.map(({ isNew, deliveries }) => [isNew, deliveries]),
          [
            [true, 3],
            [true, 1],
            [false, 3],
            [false, 3],
          ],
        )
        equal(await probe.count('events'), 2)
      }),
    )

    it(
      'has one new row when twenty store the same event at once',
      on(async ({ store, another, probe }) => {
        const stores = [store, await another()]
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            stores[index % 2]?.record([newEvent('same'), newEvent(`${index}`)]),
          ),
        )
        const same = answers.map(answer => answer?.[0])
        equal(same.filter(one => one?.isNew).length, 1)
        deepEqual(
          same.map(one => one?.deliveries ?? 0).sort((a, b) => a - b),
          Array.from({ length: 20 }, (_, index) => index + 1),
        )
        equal(await probe.count('events'), 21)
      }),
    )

    it(
      'stores nothing of a batch with a row that the database refuses, and then each good one by itself',
      on(async ({ store, probe }) => {
        const poison = poisonOf('poison')
        const batch = [newEvent('a'), poison, newEvent('b')]
        await rejects(store.record(batch), error => isBookingWebhooksError(error, 'STORE_REFUSED'))
        equal(await probe.count('events'), 0)
        const results = await Promise.allSettled(batch.map(event => store.record([event])))
        deepEqual(
          results.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled'],
        )
      }),
    )

    it(
      'stores a batch of many rows and many bytes, in one commit all the same',
      on(async ({ store, probe }) => {
        const body = Buffer.alloc(10_000, 'x')
        const events = Array.from({ length: 450 }, (_, index) => newEvent(`${index}`, { body }))
        const recorded = await store.record(events)
        deepEqual(
          recorded.map(({ id, isNew }) => [id, isNew]),
          events.map(({ id }) => [id, true]),
        )
        const poisoned = [...events.map(event => newEvent(`again ${event.id}`)), poisonOf('poison')]
        await rejects(store.record(poisoned))
        equal(await probe.count('events'), events.length)
      }),
    )

    it(
      'says nothing of what was to be stored in an error',
      on(async ({ store }) => {
        const poison: NewEvent = {
          ...poisonOf('poison'),
          headers: { from: 'ada@example.com' },
          body: Buffer.from('{"attendee":"Ada Example"}'),
        }
        const error = await store.record([poison]).then(
          () => null,
          (reason: unknown) => reason,
        )
        const all = JSON.stringify([error, String(error), (error as Error).stack, (error as Error).cause])
        equal(/ada|attendee|reservation|insert/i.test(all), false, all)
      }),
    )

    it(
      'takes a name that holds U+0000 or is longer than a column, and cuts it',
      on(async ({ store }) => {
        const odd = newEvent('odd', {
          providerType: `\u0000${'x'.repeat(300)}`,
          unreadable: 'not \u0000 JSON',
        })
        const [recorded] = await store.record([odd])
        equal(recorded?.isNew, true)
        const { rows } = await store.events({}, { limit: 10, cursor: null })
        equal(rows[0]?.providerType, `\uFFFD${'x'.repeat(254)}`)
      }),
    )
  })
}

/** An event without a time of arrival, which no database takes. */
function poisonOf(key: string): NewEvent {
  return { ...newEvent(key), receivedUs: null as unknown as number }
}
