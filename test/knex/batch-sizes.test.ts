import { laneKey, type NewEvent, type Recorded, type Store } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { anEvent } from './support/an-event.js'
import { backDoor, eachDatabase, type TestDatabase } from './support/databases.js'

const hourMs = 3_600_000
const events = 'booking_webhooks_events'
const lanes = 'booking_webhooks_lanes'

eachDatabase((name, make) => {
  describe(`a batch that is stored on ${name}`, function () {
    this.timeout(60_000)
    let database: TestDatabase
    let store: Store
    let back: Knex
    before(async () => {
      database = await make()
      store = knexStore(database.url)
      await store.open()
      back = backDoor(database.url)
    })
    after(async () => {
      await store.close()
      await back.destroy()
      await database.drop()
    })
    beforeEach(async () => {
      await back(events).delete()
      await back(lanes).delete()
    })

    for (const size of [1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 100, 127, 128, 200, 201, 255, 256])
      it(`is what came, with ${size} events of which none, some and all are there already`, async () => {
        const first = batchOf('a', size)
        const next = batchOf('b', size).map((event, index, all) =>
          index % 3 === 1 ? again(first[index]) : index % 7 === 6 ? again(all[index - 1]) : event,
        )
        const told = expected()
        for (const batch of [first, next, next.map(again)]) {
          const before = await wakes()
          expect(await store.record(batch)).to.deep.equal(told.record(batch))
          const after = await wakes()
          const woken = [...after.keys()].filter(lane => after.get(lane) !== before.get(lane))
          expect(woken).to.have.members(told.woken())
        }
        expect(await storedEvents()).to.deep.equal(told.events())
        expect(await storedLanes()).to.deep.equal(told.lanes())
      })

    async function storedEvents(): Promise<unknown> {
      const rows = await back(events).orderBy('id')
      return rows.map(row => ({
        id: row.id,
        lane: row.lane,
        bookingId: row.booking_id,
        meetingId: row.meeting_id,
        occurredUs: row.occurred_us === null ? null : Number(row.occurred_us),
        receivedUs: Number(row.received_us),
        lastReceivedUs: Number(row.last_received_us),
        deliveries: Number(row.deliveries),
        headers: JSON.parse(row.headers),
        body: row.body === null ? null : Buffer.from(row.body).toString('hex'),
        hours: Number(row.due_us) === 0 ? 0 : hoursOf(Number(row.due_us) - Date.now() * 1000),
      }))
    }

    async function wakes(): Promise<Map<string, number>> {
      const rows = await back(lanes).select('lane', 'wake')
      return new Map(rows.map(row => [row.lane, Number(row.wake)]))
    }

    async function storedLanes(): Promise<unknown> {
      const rows = await back(lanes).orderBy('lane')
      return rows.map(row => ({
        lane: row.lane,
        // The fence starts at the clock.
        hours: hoursOf(Number(row.due_us) - Number(row.fence)),
      }))
    }
  })
})

/** Whole hours, and 0 rather than -0. */
const hoursOf = (us: number) => Math.round(us / 1000 / hourMs) + 0

/** Two events for each lane, some of them due now, others in an hour or two; any text, any bytes, and nothing where nothing may be. */
function batchOf(name: string, size: number): NewEvent[] {
  return Array.from({ length: size }, (_, index) => ({
    ...anEvent(`${name} ${index}`, laneKey('settle', index % 8 > 3 ? name : '', String(index >> 1))),
    bookingId: index % 2 ? null : `'"\\?; -- ?? :name 🗓 ${index}`,
    meetingId: index % 5 ? 'a meeting' : null,
    occurredUs: index % 4 ? 1_796_000_000_000_000 + index : null,
    receivedUs: 1_796_000_000_123_456 + index,
    headers: { 'x-header': `é\\'${index}` },
    body: index % 6 === 5 ? null : Buffer.from([0, 255, index, 39, 92, 63, 128, ...Buffer.from('💥')]),
    afterMs: (index % 3) * hourMs,
  }))
}

/** The event once more, a second later. */
function again(event: NewEvent | undefined): NewEvent {
  if (!event) throw new Error('there is no such event')
  return { ...event, receivedUs: event.receivedUs + 1_000_000, afterMs: 0 }
}

/** What a ledger should hold after these batches. */
function expected() {
  const stored = new Map<string, { event: NewEvent; deliveries: number; lastReceivedUs: number }>()
  const hoursByLane = new Map<string, number>()
  let woken = new Set<string>()
  return {
    record(batch: NewEvent[]): Recorded[] {
      const fresh = new Map<string, NewEvent>()
      for (const event of batch) {
        const row = stored.get(event.id)
        if (row) {
          row.deliveries++
          row.lastReceivedUs = Math.max(row.lastReceivedUs, event.receivedUs)
        } else {
          stored.set(event.id, { event, deliveries: 1, lastReceivedUs: event.receivedUs })
          fresh.set(event.id, event)
        }
      }
      woken = new Set([...fresh.values()].map(({ lane }) => lane))
      for (const { lane, afterMs } of fresh.values())
        hoursByLane.set(lane, Math.min(hoursByLane.get(lane) ?? afterMs / hourMs, afterMs / hourMs))
      return batch.map(({ id }, index) => ({
        id,
        isNew: fresh.has(id) && batch.findIndex(event => event.id === id) === index,
        deliveries: stored.get(id)?.deliveries ?? 0,
      }))
    },
    events: () =>
      [...stored.values()]
        .map(({ event, deliveries, lastReceivedUs }) => ({
          id: event.id,
          lane: event.lane,
          bookingId: event.bookingId,
          meetingId: event.meetingId,
          occurredUs: event.occurredUs,
          receivedUs: event.receivedUs,
          lastReceivedUs,
          deliveries,
          headers: event.headers,
          body: event.body === null ? null : Buffer.from(event.body).toString('hex'),
          hours: event.afterMs / hourMs,
        }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    lanes: () =>
      [...hoursByLane].map(([lane, hours]) => ({ lane, hours })).sort((a, b) => (a.lane < b.lane ? -1 : 1)),
    /** The lanes that the last batch has work in. */
    woken: () => [...woken],
  }
}
