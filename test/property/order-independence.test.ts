import { calendly } from '@booking-webhooks/calendly'
import type { BookingEvent } from '@booking-webhooks/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { grounds, type Ledger } from '../support/ledgers.js'
import { shortId, signingKey, type Workbench, workbench } from '../support/workbench.js'
import { actions, asTruth, history } from './calendly-history.js'
import { slotsOf, startOf } from './slots-of.js'
import { toldOf } from './told.js'
import { expectToldRightly } from './told-rightly.js'

/** PGlite works on one thread with everything else, so it gets fewer. */
const runsOn = (ground: string) => Number(process.env.TEST_RUNS ?? (ground === 'PGlite' ? 6 : 20))

/** In which order deliveries come, which come again, and what fails: numbers in 0..1 that are used as they are needed. */
const disorder = fc.record({
  order: fc.array(fc.nat(1_000_000), { minLength: 24, maxLength: 24 }),
  repeats: fc.array(fc.nat(30), { maxLength: 3 }),
  drains: fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
  failures: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
})

for (const ground of grounds())
  describe(`on ${ground.name}, whatever the order of deliveries, with repeats and failing callbacks,`, function () {
    this.timeout(120_000)
    let ledger: Ledger
    let bench: Workbench
    let account = 0
    let told: BookingEvent[] = []
    let mayFail: boolean[] = []

    before(async () => {
      ledger = await ground.open()
      bench = workbench({
        database: ledger.database,
        providers: [calendly({ signingKey: () => signingKey })],
        backoff: { baseMs: 1, capMs: 1 },
        attempts: 1_000,
        subscribers: {
          calendar: {
            takes: ['*'],
            tell: event => {
              if (mayFail.pop()) throw new Error('the calendar is down')
              told.push(event)
            },
          },
        },
      })
    })
    after(async () => {
      await bench.close()
      await ledger.close()
    })

    const play = async (
      did: Parameters<typeof history>[0],
      how: { order: number[]; repeats: number[]; drains: boolean[]; failures: boolean[] },
      mayDoubleBook: boolean,
    ) => {
      const name = `run${++account}`
      const past = history(did, name, mayDoubleBook)
      const { deliveries } = past
      told = []
      mayFail = [...how.failures]
      const order = deliveries
        .map((delivery, index) => ({ delivery, at: how.order[index % 24]! + index / 1_000 }))
        .sort((a, b) => a.at - b.at)
        .map(({ delivery }) => delivery)
      for (const repeat of how.repeats)
        if (deliveries.length > 0)
          order.splice(repeat % order.length, 0, deliveries[repeat % deliveries.length]!)
      for (const [index, delivery] of order.entries()) {
        expect((await bench.deliver(delivery)).status).to.equal(200)
        if (how.drains[index % 30]) await bench.inbox.drain()
      }
      await finish(bench, name)
      return { past, name, bookings: (await bench.inbox.bookings({ account: name }, { limit: 500 })).rows }
    }

    it('the bookings and the slots end as in the true order, and a calendar that listens is right', async () => {
      await fc.assert(
        fc.asyncProperty(actions, disorder, async (did, how) => {
          const { past, name, bookings } = await play(did, how, false)
          const known = bookings.map(asTruth).filter(text => !text.startsWith('null'))
          expect(known.sort()).to.deep.equal(past.bookings)
          expect(await slotsOf(ledger.knex, name)).to.deep.equal(past.slots)
          expectToldRightly(told.map(toldOf), bookings)
        }),
        { numRuns: runsOn(ground.name) },
      )
    })

    it('a contested slot has one holder, and nobody waits for a free one', async () => {
      await fc.assert(
        fc.asyncProperty(actions, disorder, async (did, how) => {
          const { past, name, bookings } = await play(did, how, true)
          expect(bookings.map(asTruth).sort()).to.deep.equal(past.bookings)
          const held = await slotsOf(ledger.knex, name)
          expect(new Set(held.keys())).to.deep.equal(new Set(past.slots.keys()))
          for (const booking of bookings) {
            const slots = booking.resources.map(
              resource => `${shortId(resource)}@${startOf(booking.startsAt)}`,
            )
            if (booking.status === 'confirmed')
              for (const slot of slots) expect(held.get(slot), slot).to.equal(shortId(booking.meetingId!))
            if (booking.status === 'conflict')
              expect(
                slots.some(slot => held.has(slot) && held.get(slot) !== shortId(booking.meetingId!)),
                `${booking.id} waits for a slot that is free or its own`,
              ).to.equal(true)
          }
          expectToldRightly(told.map(toldOf), bookings)
        }),
        { numRuns: runsOn(ground.name) },
      )
    })
  })

/** Works until everything of the account is settled and told. */
async function finish(bench: Workbench, account: string): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    await bench.inbox.drain()
    const { rows } = await bench.inbox.events({ account }, { limit: 500 })
    if (rows.every(row => row.status === 'done' || row.status === 'waiting')) return
    await new Promise(resolve => setTimeout(resolve, 3))
  }
  throw new Error('something is never told')
}
