import { deepEqual, equal, rejects } from 'node:assert/strict'
import { identify, type NewChild, type StoredEvent } from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { account, claimOne, newEvent, nineUs, provider, recordAndClaim } from './events.js'
import { newBooking, newFact, settlementOf, settleOne, toldEvent } from './settling.js'

/** Settling: everything that one event writes, in one transaction. */
export function settleContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('settling', () => {
    it(
      'writes the event, its booking, its slot and its tells together',
      on(async ({ store, probe }) => {
        const { lane, stored } = await recordAndClaim(store, newEvent('a', { booking: 'A' }))
        const booking = newBooking('A', {
          payment: { amount: '50.00', currency: 'EUR', paid: true, reference: null },
        })
        const fact = newFact('A', { details: { booking: { title: 'A talk' } } })
        const slot = { resource: 'example/default/host', startsUs: nineUs }
        await settleOne(store, lane, stored.id, {
          fact,
          booking,
          tells: ['calendar'],
          decision: {
            bookings: [booking],
            free: [],
            take: [{ ...slot, provider, account, meetingId: 'meeting of A' }],
            wait: null,
            noLongerWaiting: [],
          },
        })
        await store.settle(lane, async transaction => {
          deepEqual(await transaction.booking(provider, account, 'A'), booking)
          const { facts, bookings } = await transaction.lockThread(provider, account, ['b:A'])
          deepEqual([facts, bookings], [[fact], [booking]])
          deepEqual(await transaction.lockSlots([slot]), [
            { ...slot, provider, account, meetingId: 'meeting of A' },
          ])
          const event = await transaction.event(stored.id)
          deepEqual(
            [event?.status, event?.outcome, event?.fact, event?.told],
            ['settled', 'accepted', fact, toldEvent(stored, booking)],
          )
        })
        deepEqual(await store.pendingEvents(lane, 10), [])
        equal(await probe.count('tells'), 1)
      }),
    )

    it(
      'writes nothing where it fails on the way',
      on(async ({ store, probe }) => {
        const { lane, stored } = await recordAndClaim(store, newEvent('a', { booking: 'A' }))
        const failed = store.settle(lane, async transaction => {
          await transaction.lockThread(provider, account, ['b:A'])
          await transaction.write(
            settlementOf(stored, { fact: newFact('A'), booking: newBooking('A'), tells: ['calendar'] }),
          )
          throw new TypeError('a bug in the caller')
        })
        await rejects(failed, TypeError)
        equal((await store.pendingEvents(lane, 10)).length, 1)
        equal(await probe.count('tells'), 0)
        deepEqual((await store.bookings({}, { limit: 10, cursor: null })).rows, [])
      }),
    )

    it(
      'keeps further events of one event, told once however often it is settled',
      on(async ({ store, probe }) => {
        const { lane, stored } = await recordAndClaim(store, newEvent('a', { booking: 'A' }))
        const child = childOf(stored, '|conflict')
        const settlement = settlementOf(stored, { children: [child], tells: ['calendar'] })
        settlement.tells.push({ ...settlement.tells[0], eventId: child.id } as (typeof settlement.tells)[0])
        for (let round = 0; round < 3; round++)
          await store.settle(lane, transaction => transaction.write(settlement))
        equal(await probe.count('events'), 2)
        equal(await probe.count('tells'), 2)
        const tellLane = await claimOne(store, 'tell')
        deepEqual(
          (await store.pendingTells(tellLane, 10)).map(({ event }) => event),
          [settlement.event.told, child.told],
        )
        const { rows } = await store.events({ event: child.id }, { limit: 1, cursor: null })
        deepEqual(
          [rows[0]?.type, rows[0]?.outcome, rows[0]?.bookingId],
          ['booking.conflict', 'conflict', 'A'],
        )
      }),
    )

    it(
      'adds events that turn out while settling, to be settled here or in a lane of their own',
      on(async ({ store }) => {
        const { lane, stored } = await recordAndClaim(store, newEvent('a', { booking: 'A' }))
        const more = (key: string, booking: string) =>
          newEvent(key, { booking, origin: 'settling', parentId: stored.id, body: null })
        await store.settle(lane, async transaction => {
          const here = await transaction.addEvent(more('here', 'A'), true)
          deepEqual([here.status, Buffer.from(here.body)], ['pending', Buffer.from(stored.body)])
          await transaction.write(settlementOf(here))
          await transaction.write(settlementOf(stored))
          await transaction.addEvent(more('elsewhere', 'B'), false)
          const known = await transaction.addEvent(more('here', 'A'), false)
          equal(known.status, 'settled')
          const grandchild = newEvent('of here', { booking: 'A', parentId: here.id, body: null })
          deepEqual(
            Buffer.from((await transaction.addEvent(grandchild, true)).body),
            Buffer.from(stored.body),
          )
          await transaction.write(settlementOf(await transaction.addEvent(grandchild, true)))
        })
        equal(await store.release(lane, { to: 'idle' }), true)
        const next = await claimOne(store)
        deepEqual(
          (await store.pendingEvents(next, 10)).map(({ dedupeKey }) => dedupeKey),
          ['elsewhere'],
        )
      }),
    )

    it(
      'tells of events in order of arrival, and no more at a time than asked for or than fits in memory',
      on(async ({ store }) => {
        const large = Buffer.alloc(4_200_000, 'x')
        await store.record([newEvent('c', { booking: 'one' })])
        await store.record([newEvent('a', { booking: 'one', body: large })])
        const lane = await claimOne(store)
        const keys = async (limit: number) =>
          (await store.pendingEvents(lane, limit)).map(({ dedupeKey }) => dedupeKey)
        deepEqual(await keys(10), ['c'])
        await settleOne(store, lane, newEvent('c').id)
        await store.release(lane, { to: 'idle' })
        const again = await claimOne(store)
        deepEqual(
          (await store.pendingEvents(again, 1)).map(({ dedupeKey }) => dedupeKey),
          ['a'],
        )
      }),
    )

    it(
      'counts failed fetches, and keeps what was fetched',
      on(async ({ store }) => {
        const { lane, stored } = await recordAndClaim(store, newEvent('a'))
        await store.fetchFailed(lane, stored.id, { error: 'It timed out.', counts: true })
        await store.fetchFailed(lane, stored.id, { error: 'The account is paused.', counts: false })
        const { rows } = await store.events({}, { limit: 1, cursor: null })
        deepEqual([rows[0]?.attempts, rows[0]?.lastError], [1, 'The account is paused.'])
        await store.saveSnapshot(lane, stored.id, { start: '2026-01-01' })
        const [again] = await store.pendingEvents(lane, 1)
        deepEqual([again?.attempts, again?.snapshot], [1, { start: '2026-01-01' }])
      }),
    )
  })
}

function childOf(parent: StoredEvent, suffix: string): NewChild {
  const dedupeKey = parent.dedupeKey + suffix
  return {
    ...identify(provider, account, dedupeKey),
    dedupeKey,
    type: 'booking.conflict',
    bookingId: parent.bookingId,
    meetingId: null,
    threadId: parent.bookingId,
    occurredUs: nineUs,
    outcome: 'conflict',
    reason: 'Another meeting holds the slot.',
    told: { ...toldEvent(parent), id: identify(provider, account, dedupeKey).id },
  }
}
