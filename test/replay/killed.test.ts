import { setTimeout as sleep } from 'node:timers/promises'
import { calendlyStories } from '@booking-webhooks/calendly/testing'
import { doNotRetry, identify } from '@booking-webhooks/core'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { type Member, type Note, scene, startMember, until } from '../crash/members.js'
import { type Ledger, sharedGrounds } from '../support/ledgers.js'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

/** A tenth of what it was run with: REPLAY_EVENTS=10000 takes some minutes. */
const events = Number(process.env.REPLAY_EVENTS ?? 600)
const bookings = Math.ceil(events / 3)
const kills = 2

for (const ground of sharedGrounds())
  describe(`a replay of ${events} events for a subscriber that was repaired, on ${ground.name}`, () => {
    const stage = scene()
    let ledger: Ledger<string>
    let bench: Workbench
    let member: Member | null = null
    before(async () => {
      ledger = await ground.open()
    })
    after(async () => {
      await member?.stop()
      await bench.close()
      await ledger.close()
      stage.remove()
    })

    it('tells each once and in order, though its process is killed and started again', async function () {
      this.timeout(20_000 + events * 200)
      bench = workbench({
        database: ledger.database,
        subscribers: {
          notes: {
            takes: ['*'],
            tell() {
              throw doNotRetry('The subscriber is broken.')
            },
          },
        },
      })
      for (const delivery of calendlyStories['no-show']({ key: signingKey, prefix: 'p0-' }))
        await bench.deliver(delivery)
      await bench.inbox.drain()
      await copyBooking(ledger.knex, bookings)
      const { scope } = await bench.inbox.replay({ status: 'dead' }, { dryRun: true })
      expect(scope.events).to.equal(bookings * 3)

      await bench.inbox.replay({ status: 'dead' })
      const start = () =>
        startMember({
          database: ledger.database,
          signingKey,
          notes: stage.notes,
          receives: false,
          works: true,
          leaseMs: 3_000,
          callbackMs: 2,
        })
      const done = () => new Set(stage.read().flatMap(note => (note.what === 'done' ? note.event : [])))
      for (let kill = 1; kill <= kills; kill += 1) {
        member = start()
        await member.ready
        await until(() => done().size >= (kill * scope.events) / (kills + 1), 20_000 + events * 50)
        member.kill()
        await member.gone
        expect(done().size, 'it was interrupted').to.be.below(scope.events)
      }
      member = start()
      const progress = async () => (await bench.inbox.replays())[0]!
      await until(async () => (await progress()).state === 'done', 20_000 + events * 50)
      await sleep(100)

      expect(await progress()).to.deep.include({
        done: scope.events,
        tells: { pending: 0, done: scope.events, dead: 0 },
      })
      expect((await bench.inbox.events({ status: 'dead' })).rows).to.deep.equal([])
      const notes = stage.read()
      expect(notes.every(note => note.replay)).to.equal(true)
      expect(done().size).to.equal(scope.events)
      // Only what ran while its process was killed may have run twice, and then its attempt says so.
      const began = notes.filter(note => note.what === 'began')
      const again = began.filter(note => note.attempt > 1)
      expect(again.length).to.be.at.most(16 * kills)
      expect(began.length).to.be.within(scope.events, scope.events + again.length)
      expect(new Set(began.map(note => `${note.event} ${note.attempt}`)).size).to.equal(began.length)
      for (const types of Object.values(typesByBooking(notes)))
        expect(types).to.deep.equal(['booking.created', 'booking.no_show', 'booking.updated'])
    })
  })

/** More of the same, straight into the tables: how the ledger came about is not what is proven here. */
async function copyBooking(knex: Knex, copies: number): Promise<void> {
  const table = (name: string) => `booking_webhooks_${name}`
  const rows = {
    events: await knex(table('events')),
    bookings: await knex(table('bookings')),
    tells: await knex(table('tells')),
  }
  const ids = rows.events.map(({ id }) => id as string)
  await knex.transaction(async trx => {
    for (let copy = 1; copy < copies; copy += 1)
      for (const [name, originals] of Object.entries(rows)) {
        const text = ids.reduce(
          (all, id) => all.replaceAll(id, identify('copy', String(copy), id).id),
          JSON.stringify(originals.map(({ sequence: _, body: __, ...row }) => row)),
        )
        await trx(table(name)).insert(JSON.parse(text.replaceAll('p0-', `p${copy}-`)))
      }
  })
}

/** What was done of each booking, in order; what was done twice counts once. */
function typesByBooking(notes: Note[]): Record<string, string[]> {
  const types: Record<string, string[]> = {}
  const seen = new Set<string>()
  for (const { what, event, booking, type } of notes) {
    if (what !== 'done' || seen.has(event)) continue
    seen.add(event)
    types[booking] = [...(types[booking] ?? []), type]
  }
  return types
}
