import { deepEqual, equal } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { parseInstant } from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { newEvent, recordAndClaim } from './events.js'

/** What goes in comes out: bytes, instants and ids. */
export function bytesContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('bytes, instants and ids', () => {
    it(
      'a body of 1 MiB comes back byte for byte',
      on(async ({ store, probe }) => {
        const body = randomBytes(1 << 20)
        const { stored } = await recordAndClaim(store, newEvent('large', { body }))
        equal(Buffer.compare(stored.body, body), 0)
        equal(Buffer.compare((await probe.body(stored.id)) ?? new Uint8Array(), body), 0)
      }),
    )

    it(
      'characters of four bytes, NUL and half a surrogate come back as they went in',
      on(async ({ store }) => {
        const text = '{"name":"\u0000 𝒜da 🗓️ \ud800","z":1,"a":9007199254740993}'
        const event = newEvent('odd', {
          body: Buffer.from(text),
          headers: { 'x-name': '𝒜da 🗓️' },
          bookingId: '🗓️-𝒜',
          dedupeKey: 'key 🗓️',
        })
        const { lane, stored } = await recordAndClaim(store, event)
        equal(Buffer.from(stored.body).equals(Buffer.from(text)), true)
        deepEqual(
          [stored.headers, stored.bookingId, stored.dedupeKey],
          [event.headers, event.bookingId, event.dedupeKey],
        )
        const snapshot = { zebra: '\u0000 🗓️', a: [null, 9007199254740991, '9007199254740993'] }
        await store.saveSnapshot(lane, event.id, snapshot)
        const [again] = await store.pendingEvents(lane, 1)
        equal(JSON.stringify(again?.snapshot), JSON.stringify(snapshot))
      }),
    )

    it(
      'an instant keeps its microsecond, on whatever day of the year',
      on(async ({ store }) => {
        const instants = [
          '2026-01-01T09:00:00.000001Z',
          // The hours that clocks skip and repeat in Paris.
          '2026-03-29T01:30:00.000123Z',
          '2026-10-25T00:30:00.999999Z',
          '2026-10-25T01:30:00.999999Z',
          '2000-02-29T00:00:00.000001Z',
          '1969-12-31T23:59:59.999999Z',
        ]
        await store.record(
          instants.map((text, index) => newEvent(`${index}`, { occurredUs: parseInstant(text) })),
        )
        const { rows } = await store.events({}, { limit: 10, cursor: null })
        deepEqual(rows.map(row => row.occurredAt).sort(), [...instants].sort())
      }),
    )

    it(
      'ids that differ in case, in an accent or in a trailing blank are different',
      on(async ({ store }) => {
        const ids = ['abc', 'ABC', 'äbc', 'abc ', '9007199254740993', '9007199254740992']
        await store.record(ids.map(id => newEvent(id, { booking: id })))
        for (const id of ids) {
          const { rows } = await store.events({ booking: id }, { limit: 10, cursor: null })
          deepEqual(
            rows.map(row => row.bookingId),
            [id],
          )
        }
      }),
    )

    it(
      'a further event of a body has the body of the first one',
      on(async ({ store }) => {
        const first = newEvent('first')
        const second = newEvent('second', { body: null, parentId: first.id, index: 1 })
        await store.record([first])
        const { stored } = await recordAndClaim(store, second)
        deepEqual([Buffer.from(stored.body), stored.index], [Buffer.from(first.body ?? []), 1])
      }),
    )
  })
}
