import { deepEqual, equal } from 'node:assert/strict'
import type { EventFilter, Store } from '@booking-webhooks/core'
import type { Ground, OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { claim, claimOne, newEvent, recordAndClaim } from './events.js'
import { newBooking, settleOne, tellOf } from './settling.js'

/** Erasing: everything of a guest, and nothing of anybody else. */
export function eraseContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('erasing an address', () => {
    it(
      'finds it in whatever a body is written as',
      on(async ground => {
        const lost = await erasedOf(ground, mentioned)
        deepEqual(lost, mentioned)
      }),
    )

    it(
      'leaves alone whose address is longer',
      on(async ground => {
        deepEqual(await erasedOf(ground, othersOf), [])
      }),
    )

    it(
      'takes no callback of another guest back',
      on(async ({ store }) => {
        for (const email of ['ann@example.com', 'joann@example.com'])
          await tellOf(store, email, ['calendar'], { booking: bookingOf(email) })
        const erased = await store.erase({ email: 'ann@example.com' }, { dropPending: true })
        equal(erased.bookings, 1)
        const { rows } = await store.bookings({}, { limit: 10, cursor: null })
        deepEqual(rows.map(({ attendee }) => attendee?.email ?? null).sort(), ['joann@example.com', null])
        deepEqual(await bookingsIn(store, { status: 'pending' }), ['booking of joann@example.com'])
      }),
    )

    it(
      'takes it out of alerts, which are handed over all the same',
      on(async ({ store }) => {
        for (const email of ['ann@example.com', 'joann@example.com'])
          await store.countResult(`subscriber:${email.slice(0, -'@example.com'.length)}`, 1, {
            thresholds: [1],
            fields: { subscriber: 'calendar', reason: `No calendar for "${email}".` },
          })
        await store.erase({ email: 'ann@example.com' }, { dropPending: false })
        const alerts = await store.claimAlerts(60_000)
        deepEqual(
          alerts.map(({ fields }) => fields),
          [
            { subscriber: 'calendar', consecutiveFailures: 1 },
            {
              subscriber: 'calendar',
              reason: 'No calendar for "joann@example.com".',
              consecutiveFailures: 1,
            },
          ],
        )
      }),
    )

    it(
      'ends dead letters: nobody can replay them any more',
      on(async ({ store }) => {
        await tellOf(store, 'told', ['calendar'], { booking: bookingOf('ann@example.com') })
        const tellLane = await claimOne(store, 'tell')
        for (const tell of await store.pendingTells(tellLane, 1))
          await store.endAttempt(tellLane, tell, { is: 'dead', error: 'No.' })
        const { lane, stored } = await recordAndClaim(
          store,
          newEvent('fetched', { body: Buffer.from('ann@example.com') }),
        )
        await settleOne(store, lane, stored.id, { status: 'dead', outcome: null })
        deepEqual((await store.health()).dead, { events: 1, tells: 1 })
        await store.erase({ email: 'ann@example.com' }, { dropPending: false })
        deepEqual((await store.health()).dead, { events: 0, tells: 0 })
        for (const subscriber of [undefined, 'calendar'])
          deepEqual(await bookingsIn(store, { status: 'dead', subscriber }), [])
        deepEqual(await bookingsIn(store, { status: 'done' }), ['booking of fetched', 'booking of told'])
        deepEqual(await bookingsIn(store, { status: 'done', subscriber: 'calendar' }), ['booking of told'])
        const { rows } = await store.events({}, { limit: 10, cursor: null })
        deepEqual(
          rows.map(({ status, tells }) => [status, tells.map(tell => tell.status)]),
          [
            ['done', []],
            ['done', ['dead']],
          ],
        )
        const { events, blank } = await store.replayScope({ status: 'dead' })
        deepEqual([events, blank], [0, 0])
      }),
    )
  })
}

const mentioned = [
  '{"email":"ann@example.com"}',
  '{"email":"Ann@Example.COM"}',
  '{"guests":"Bob <bob@example.com>,ann@example.com;eve@example.com"}',
  '{"answer":"Write to ann@example.com. Thanks"}',
  '{"answer":"My partner:\\nann@example.com\\nCall her."}',
  '{"quoted":"{\\"answer\\":\\"Hers:\\\\nann@example.com\\"}"}',
  '{"answer":"Hers: \\u003cann@example.com\\u003e"}',
  '{"reason":"No calendar for \'ann@example.com\'."}',
  '{"answer":"-ann@example.com - bob@example.com"}',
  '{"answer":"邮箱ann@example.com。"}',
  '{"answer":"joann@example.com, and ann@example.com too"}',
  '{"cancel":"https://example.com/c?email=ann@example.com&x=1"}',
  '{"cancel":"https://example.com/guests/ann%40example.com/cancel"}',
  '{"next":"https://example.com/?to=%2Fguests%2Fann%40example.com"}',
  'name=Ann&email=ann%40example.com',
  'note=call+ann%40example.com+please',
  'note=%0Aann%40example.com',
  'From: "Ann" <ann@example.com>',
  '{"cut off":"ann@example.com',
]

const othersOf = [
  '{"email":"joann@example.com"}',
  '{"email":"jo.ann@example.com"}',
  '{"email":"jo+ann@example.com"}',
  '{"email":"jo-ann@example.com"}',
  '{"email":"jo_ann@example.com"}',
  '{"email":"o\'ann@example.com"}',
  '{"email":"JoAnn@example.com"}',
  '{"email":"joann@example.com"',
  '{"email":"ann@example.com.au"}',
  '{"email":"ann@example.company"}',
  '{"email":"ann@example.com-mail.org"}',
  '{"email":"ann@sub.example.com"}',
  'email=joann%40example.com',
  'email=jo%2Bann%40example.com',
  'email=ann%40example.com.au',
]

/** Records bodies, has nothing left to do with them, and erases the address; returns those that are gone. */
async function erasedOf({ store, probe }: Ground, bodies: string[]): Promise<string[]> {
  const events = bodies.map((body, index) => newEvent(`${index}`, { body: Buffer.from(body) }))
  await store.record(events)
  for (const lane of await claim(store))
    for (const { id } of await store.pendingEvents(lane, 1))
      await settleOne(store, lane, id, { outcome: 'ignored' })
  await store.erase({ email: 'ann@example.com' }, { dropPending: false })
  const left = await Promise.all(events.map(({ id }) => probe.body(id)))
  return bodies.filter((_, index) => left[index] === null)
}

function bookingOf(email: string) {
  const booking = newBooking(`booking of ${email}`)
  const attendee = { name: null, email, phone: null, timeZone: null }
  return { ...booking, details: { ...booking.details, attendee } }
}

/** The bookings of the events that a filter finds, newest first. */
async function bookingsIn(store: Store, filter: EventFilter): Promise<(string | null)[]> {
  const { rows } = await store.events(filter, { limit: 10, cursor: null })
  return rows.map(({ bookingId }) => bookingId)
}
