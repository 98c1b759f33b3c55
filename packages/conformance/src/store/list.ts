import { deepEqual, equal } from 'node:assert/strict'
import type { BookingFilter, EventFilter, EventRow, Store } from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { claim, newEvent, nineUs, recordAndClaim } from './events.js'
import { newBooking, settleOne, tellOf } from './settling.js'

/** Listing: the ledger and the bookings, for people. */
export function listContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('listing', () => {
    it(
      'shows an event as it came and as it was settled',
      on(async ({ store }) => {
        const stored = await tellOf(store, 'a', ['calendar'], { booking: newBooking('booking of a') })
        const { rows } = await store.events({}, { limit: 10, cursor: null })
        const expected: EventRow = {
          id: stored.id,
          type: 'booking.created',
          provider: 'example',
          account: 'default',
          providerType: 'reservation.made',
          bookingId: 'booking of a',
          meetingId: 'meeting of booking of a',
          occurredAt: '2026-01-01T09:00:00.000001Z',
          receivedAt: '2026-01-01T09:00:01.000001Z',
          lastReceivedAt: '2026-01-01T09:00:01.000001Z',
          deliveries: 1,
          status: 'pending',
          outcome: 'accepted',
          reason: 'As the test says.',
          attempts: 0,
          lastError: null,
          replays: 0,
          tells: [{ subscriber: 'calendar', status: 'pending', attempts: 0, lastError: null }],
        }
        deepEqual(rows, [expected])
      }),
    )

    it(
      'pages through events, newest first, each once while more come in',
      on(async ({ store }) => {
        for (let index = 0; index < 7; index++) await store.record([newEvent(`${index}`)])
        const seen: (string | null)[] = []
        let cursor: string | null = null
        do {
          const page: Awaited<ReturnType<Store['events']>> = await store.events({}, { limit: 3, cursor })
          seen.push(...page.rows.map(({ bookingId }) => bookingId))
          cursor = page.cursor
          await store.record([newEvent(`later ${seen.length}`)])
        } while (cursor !== null)
        deepEqual(
          seen,
          [6, 5, 4, 3, 2, 1, 0].map(index => `booking of ${index}`),
        )
      }),
    )

    it(
      'filters events',
      on(async ({ store }) => {
        const us = (seconds: number) => nineUs + seconds * 1_000_000
        await store.record([
          newEvent('1', { receivedUs: us(1), occurredUs: us(9) }),
          newEvent('2', { receivedUs: us(2), occurredUs: us(8), account: 'second' }),
          newEvent('3', { receivedUs: us(3), occurredUs: us(7), type: 'booking.canceled' }),
          newEvent('4', { receivedUs: us(4), origin: 'look', occurredUs: us(7) }),
        ])
        const found = async (filter: EventFilter) => {
          const { rows } = await store.events(filter, { limit: 10, cursor: null })
          return rows.map(({ bookingId }) => bookingId?.at(-1)).join('')
        }
        const all: [EventFilter, string][] = [
          [{}, '321'],
          [{ event: newEvent('1').id }, '1'],
          [{ booking: 'booking of 3' }, '3'],
          [{ booking: 'Booking of 3' }, ''],
          [{ provider: 'example', account: 'second' }, '2'],
          [{ type: 'booking.canceled' }, '3'],
          [{ fromUs: us(2), toUs: us(3) }, '2'],
          [{ by: 'occurred', fromUs: us(8) }, '21'],
          [{ outcome: 'accepted' }, ''],
          [{ status: 'pending' }, '321'],
          [{ status: 'done' }, ''],
          [{ subscriber: 'calendar' }, ''],
        ]
        for (const [filter, expected] of all) equal(await found(filter), expected, JSON.stringify(filter))
      }),
    )

    it(
      'derives an event’s status from its row and its tells, for the filter as for the row',
      on(async ({ store }) => {
        await tellOf(store, 'pending', ['calendar', 'mail'])
        await tellOf(store, 'done', ['calendar', 'mail'])
        await tellOf(store, 'dead', ['calendar', 'mail'])
        await tellOf(store, 'untold', [])
        const fetchDied = await recordAndClaim(store, newEvent('fetch died'))
        await settleOne(store, fetchDied.lane, fetchDied.stored.id, { status: 'dead', outcome: null })
        const conflict = await recordAndClaim(store, newEvent('conflict'))
        await settleOne(store, conflict.lane, conflict.stored.id, { status: 'waiting', outcome: 'conflict' })
        await store.record([newEvent('new')])
        await endTells(store, 'mail', key => (key === 'dead' ? 'dead' : 'done'))
        await endTells(store, 'calendar', key => (key === 'done' ? 'done' : null))
        const statuses = new Map<string, string[]>()
        for (const status of ['pending', 'waiting', 'done', 'dead'] as const) {
          const { rows } = await store.events({ status }, { limit: 10, cursor: null })
          for (const row of rows) equal(row.status, status)
          statuses.set(
            status,
            rows.map(({ bookingId }) => bookingId?.replace('booking of ', '') ?? '').sort(),
          )
        }
        deepEqual(Object.fromEntries(statuses), {
          pending: ['new', 'pending'],
          waiting: ['conflict'],
          done: ['done', 'untold'],
          dead: ['dead', 'fetch died'],
        })
        const ofOne: [string, EventFilter['status'], string[]][] = [
          ['mail', 'dead', ['dead']],
          ['mail', 'done', ['done', 'pending']],
          ['calendar', 'dead', []],
          ['calendar', 'pending', ['dead', 'pending']],
        ]
        for (const [subscriber, status, keys] of ofOne) {
          const { rows } = await store.events({ subscriber, status }, { limit: 10, cursor: null })
          deepEqual(rows.map(({ bookingId }) => bookingId?.replace('booking of ', '')).sort(), keys)
        }
      }),
    )

    it(
      'shows bookings, newest change first, page by page, without those known only by a mark',
      on(async ({ store }) => {
        const changes = [3, 1, 1, 2]
        for (const [index, plus] of changes.entries())
          await tellOf(store, `${index}`, [], {
            booking: newBooking(`B${index}`, {
              updatedUs: nineUs + plus,
              waits: index === 1,
              threadId: index > 1 ? 'T' : `B${index}`,
            }),
          })
        await tellOf(store, 'mark', [], {
          booking: newBooking('mark', { status: null, updatedUs: nineUs + 9 }),
        })
        const found = async (filter: BookingFilter) => {
          const ids: string[] = []
          let cursor: string | null = null
          do {
            const page: Awaited<ReturnType<Store['bookings']>> = await store.bookings(filter, {
              limit: 2,
              cursor,
            })
            ids.push(...page.rows.map(({ id }) => id))
            cursor = page.cursor
          } while (cursor !== null)
          return ids.join(' ')
        }
        equal(await found({}), 'B0 B3 B2 B1')
        equal(await found({ status: 'conflict' }), 'B1')
        equal(await found({ thread: 'T' }), 'B3 B2')
        equal(await found({ booking: 'B2' }), 'B2')
        equal(await found({ account: 'another' }), '')
        const { rows } = await store.bookings({ booking: 'B1' }, { limit: 1, cursor: null })
        deepEqual(rows, [
          {
            id: 'B1',
            provider: 'example',
            account: 'default',
            status: 'conflict',
            threadId: 'B1',
            meetingId: 'meeting of B1',
            startsAt: '2026-01-01T09:00:00.000001Z',
            endsAt: '2026-01-01T09:30:00.000001Z',
            resources: ['example/default/host'],
            attendee: { name: 'Ada Example', email: 'ada@example.com' },
            noShow: false,
            updatedAt: '2026-01-01T09:00:00.000002Z',
          },
        ])
      }),
    )
  })
}

/** Ends a subscriber's tells, by the key of their event; null leaves one pending. */
async function endTells(
  store: Store,
  subscriber: string,
  endOf: (key: string) => 'done' | 'dead' | null,
): Promise<void> {
  for (const lane of await claim(store, 'tell', { subscribers: [subscriber] }))
    for (const tell of await store.pendingTells(lane, 10)) {
      const end = endOf((tell.event.raw as { key: string }).key)
      if (end === 'done') await store.endAttempt(lane, tell, { is: 'done' })
      if (end === 'dead') await store.endAttempt(lane, tell, { is: 'dead', error: 'No.' })
    }
}
