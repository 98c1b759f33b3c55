import type { SampleDelivery } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { type Action, asTruth, history } from '../property/calendly-history.js'
import { slotsOf } from '../property/slots-of.js'
import { expectToldRightly } from '../property/told-rightly.js'
import { sharedGrounds } from '../support/ledgers.js'
import { signingKey, workbench } from '../support/workbench.js'
import { makeCrew } from './crew.js'
import { expectOneHolder } from './lanes-held.js'
import { lastRuns } from './last-runs.js'
import { post, scene, until } from './members.js'
import { generator } from './random.js'

const isLong = process.env.TEST_LONG === '1'
const size = isLong
  ? { bookings: 300, deliveries: 5_000, killEveryMs: 300, kills: 150, hangsOneOf: 200, withinMs: 1_500_000 }
  : { bookings: 20, deliveries: 150, killEveryMs: 1_500, kills: 4, hangsOneOf: 60, withinMs: 240_000 }
const leaseMs = 4_000

for (const ground of sharedGrounds())
  describe(`on ${ground.name}, four workers and two receivers of which one is killed every ${size.killEveryMs} ms, or once the last one is back`, function () {
    this.timeout(size.withinMs)

    it(`lose none of ${size.deliveries} deliveries, run no lane twice at once, and end as things are`, async function () {
      const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000)
      const random = generator(seed)
      const stage = scene()
      const ledger = await ground.open()
      const { database } = ledger
      const { notes, lanes, errors } = stage
      const hangs = { oneOf: size.hangsOneOf, forMs: leaseMs * 1.5 }
      const crew = makeCrew({ database, signingKey, notes, lanes, errors, leaseMs, callbackMs: 3, hangs })
      try {
        const past = history(lives(random), 'default', false)
        await crew.started()
        const killing = crew.killEvery(size.killEveryMs, random)
        await deliverAll(disorder(past.deliveries, random), crew.ports, random)
        await killing.times(size.kills, size.withinMs)
        killing.stop()
        await finished(database)
        await crew.stop()

        const bench = workbench({ database, subscribers: {} })
        const bookings = (await bench.inbox.bookings({}, { limit: 2_000 })).rows
        const events = (await bench.inbox.events({}, { limit: 20_000 })).rows
        await bench.close()
        expect(events.map(({ id }) => id)).to.include.members(await idsOf(past.deliveries))
        expect(bookings.map(asTruth).sort()).to.deep.equal(past.bookings)
        expect(bookings.filter(({ status }) => status === 'conflict')).to.deep.equal([])
        expect(await slotsOf(ledger.knex, 'default')).to.deep.equal(past.slots)
        expect(await forgotten(database)).to.deep.equal({ lanes: 0, waiting: 0 })
        expect(stage.readErrors().filter(({ message }) => /sweep found/.test(message))).to.deep.equal([])
        const runs = lastRuns(stage.read())
        expect(runs.map(({ event }) => event).sort()).to.deep.equal(await toldIds(ledger.knex))
        expectToldRightly(runs, bookings)
        const { late, takenOver } = expectOneHolder(stage.readLanes(), leaseMs, crew.killedAt)
        // Whoever hung for longer than its lease came too late, unless it was killed meanwhile.
        if (isLong) expect(late).to.be.above(0)
        this.test!.title +=
          ` (seed ${seed}: ${crew.killedAt.size} killed, ${takenOver} lanes taken over from the living, whose ${late} writes came too late)`
      } catch (error) {
        if (error instanceof Error) error.message = `with TEST_SEED=${seed}: ${error.message}`
        throw error
      } finally {
        await crew.stop()
        await ledger.close()
        stage.remove()
      }
    })
  })

/** What people did: enough of it for so many bookings, and marks put on and taken off for so many deliveries. */
function lives(random: () => number): Action[] {
  const did: Action[] = []
  const pick = (below: number) => Math.floor(random() * below)
  const distinct = Math.floor(size.deliveries * 0.7)
  for (let made = 0, sent = 0; sent < distinct; ) {
    const kind = random()
    const place = { who: pick(1_000), host: pick(12), start: pick(40) }
    if (made < size.bookings && kind < 0.35) {
      did.push({ is: 'book', ...place })
      made += 1
      sent += 1
    } else if (made < size.bookings && kind < 0.55) {
      did.push({ is: 'move', ...place })
      made += 1
      sent += 2
    } else {
      did.push({ is: kind < 0.62 ? 'cancel' : kind < 0.8 ? 'noShow' : 'unmark', who: place.who })
      sent += 0.7
    }
  }
  return did
}

/** Each comes within about fifty places of its own, and a third comes again somewhere. */
function disorder(deliveries: SampleDelivery[], random: () => number): SampleDelivery[] {
  const repeats = Array.from({ length: Math.max(0, size.deliveries - deliveries.length) }, () =>
    Math.floor(random() * deliveries.length),
  )
  return [...deliveries.keys(), ...repeats]
    .map(index => ({ index, at: index + random() * 50 }))
    .sort((a, b) => a.at - b.at)
    .map(({ index }) => deliveries[index]!)
}

/** Sends as a provider does: what is not answered with 200 is sent again. */
async function deliverAll(
  order: SampleDelivery[],
  ports: () => Promise<number>[],
  random: () => number,
): Promise<void> {
  const queue = [...order]
  const sender = async () => {
    for (let delivery = queue.shift(); delivery; delivery = queue.shift())
      for (;;) {
        const port = await ports()[random() < 0.5 ? 0 : 1]!.catch(() => null)
        if (port !== null && (await post(port, delivery)) === 200) break
        await new Promise(resolve => setTimeout(resolve, 50))
      }
  }
  await Promise.all(Array.from({ length: 12 }, sender))
}

async function finished(database: string): Promise<void> {
  const bench = workbench({ database, subscribers: {} })
  await until(async () => {
    const pending = await bench.inbox.events({ status: 'pending' }, { limit: 1 })
    return pending.rows.length === 0
  }, size.withinMs)
  const { rows } = await bench.inbox.events({ status: 'dead' }, { limit: 1 })
  expect(rows).to.deep.equal([])
  await bench.close()
}

/** What the sweep finds where all is done: nothing. */
async function forgotten(database: string): Promise<{ lanes: number; waiting: number }> {
  const store = knexStore(database, { migrate: false })
  try {
    return await store.sweep()
  } finally {
    await store.close()
  }
}

/** The ids that these deliveries have in any ledger. */
async function idsOf(deliveries: SampleDelivery[]): Promise<string[]> {
  const bench = workbench({ subscribers: {} })
  for (let at = 0; at < deliveries.length; at += 200)
    await Promise.all(deliveries.slice(at, at + 200).map(bench.deliver))
  const { rows } = await bench.inbox.events({}, { limit: 20_000 })
  await bench.close()
  return rows.map(({ id }) => id)
}

async function toldIds(knex: Knex): Promise<string[]> {
  const rows = await knex('booking_webhooks_tells').where({ status: 'done' })
  return rows.map(row => row.event_id).sort()
}
