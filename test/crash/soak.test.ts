import type { SampleDelivery } from '@booking-webhooks/core'
import { expect } from 'chai'
import { type Action, asTruth, history } from '../property/calendly-history.js'
import { slotsOf } from '../property/slots-of.js'
import { sharedGrounds } from '../support/ledgers.js'
import { signingKey, workbench } from '../support/workbench.js'
import { type Member, type Note, post, scene, startMember, until } from './members.js'

const isLong = process.env.TEST_LONG === '1'
const size = isLong
  ? { bookings: 300, deliveries: 5_000, killEveryMs: 300, withinMs: 1_500_000 }
  : { bookings: 20, deliveries: 150, killEveryMs: 1_500, withinMs: 240_000 }
const leaseMs = 4_000

for (const ground of sharedGrounds())
  describe(`on ${ground.name}, four workers and two receivers of which one is killed every ${size.killEveryMs} ms`, function () {
    this.timeout(size.withinMs)

    it(`lose none of ${size.deliveries} deliveries, run no lane twice at once, and end as things are`, async () => {
      const stage = scene()
      const ledger = await ground.open()
      const crew = makeCrew(ledger.database, stage.notes)
      try {
        const random = generator(Number(process.env.TEST_SEED ?? Date.now() % 1_000_000))
        const past = history(lives(random), 'default', false)
        const order = disorder(past.deliveries, random)
        await crew.started()
        const killing = crew.killEvery(size.killEveryMs, random)
        await deliverAll(order, crew.ports, random)
        await killing.times(4)
        killing.stop()
        await finished(ledger.database)
        await crew.stop()

        const bench = workbench({ database: ledger.database, subscribers: {} })
        const bookings = (await bench.inbox.bookings({}, { limit: 2_000 })).rows
        const events = (await bench.inbox.events({}, { limit: 20_000 })).rows
        await bench.close()
        expect(bookings.map(asTruth).sort()).to.deep.equal(past.bookings)
        expect(await slotsOf(ledger.knex, 'default')).to.deep.equal(past.slots)
        const distinct = new Set(past.deliveries.map(({ body }) => Buffer.from(body).toString()))
        expect(events.filter(({ type }) => type !== 'booking.conflict').length).to.be.at.least(distinct.size)
        expectNoLaneTwice(stage.read())
      } finally {
        await crew.stop()
        await ledger.close()
        stage.remove()
      }
    })
  })

/** Two that receive, four that work; whoever dies is started again. */
function makeCrew(database: string, notes: string) {
  const roles = ['receive', 'receive', 'work', 'work', 'work', 'work'] as const
  let isOver = false
  const start = (role: 'receive' | 'work'): Member =>
    startMember({
      database,
      signingKey,
      notes,
      receives: role === 'receive',
      works: role === 'work',
      leaseMs,
      callbackMs: 3,
    })
  const members = roles.map(start)
  const again = (index: number): void => {
    void members[index]!.gone.then(() => {
      if (isOver) return
      members[index] = start(roles[index]!)
      again(index)
    })
  }
  for (const index of roles.keys()) again(index)
  return {
    async started() {
      await Promise.all(members.map(member => member.ready))
    },
    ports: () => [members[0]!.port, members[1]!.port],
    killEvery(everyMs: number, random: () => number) {
      let count = 0
      const timer = setInterval(() => {
        count += 1
        members[Math.floor(random() * members.length)]!.kill()
      }, everyMs)
      return {
        stop: () => clearInterval(timer),
        times: (least: number) => until(() => count >= least, size.withinMs),
      }
    },
    async stop() {
      isOver = true
      await Promise.all(members.map(member => member.stop()))
    },
  }
}

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

/** Two runs for one booking overlap only where the first outlived its lease, which begins a while before the run's first note. */
function expectNoLaneTwice(notes: Note[]): void {
  const open = new Map<string, Note>()
  const ends = new Map(notes.filter(({ what }) => what === 'done').map(note => [runOf(note), note.at]))
  for (const note of notes) {
    if (note.what === 'done') {
      if (open.get(note.booking)?.pid === note.pid) open.delete(note.booking)
      continue
    }
    const other = open.get(note.booking)
    const otherEnded = other && ends.get(runOf(other))
    if (other && otherEnded !== undefined && otherEnded > note.at)
      expect(otherEnded - other.at, `two runs for ${note.booking} at once`).to.be.above(leaseMs / 2)
    open.set(note.booking, note)
  }
}

function runOf({ pid, event, attempt }: Note): string {
  return `${pid} ${event} ${attempt}`
}

/** Numbers in 0..1 that are the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}
