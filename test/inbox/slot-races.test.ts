import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery, type SampleInvitee } from '@booking-webhooks/calendly/testing'
import type { SampleDelivery } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import createKnex, { type Knex } from 'knex'
import { asTruth } from '../property/calendly-history.js'
import { slotsOf } from '../property/slots-of.js'
import { type Ledger, sharedGrounds } from '../support/ledgers.js'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

const rounds = Array.from({ length: process.env.TEST_LONG === '1' ? 200 : 25 }, (_, round) => round)

for (const ground of sharedGrounds())
  describe(`on ${ground.name}, ${rounds.length} times, two inboxes at once,`, function () {
    this.timeout(900_000)
    let ledger: Ledger<string>
    let benches: Workbench[] = []
    let connections: Knex[] = []
    let errors: string[] = []

    before(async () => {
      ledger = await ground.open()
      connections = [connection(ledger), connection(ledger)]
      for (const one of connections) one.on('query-error', error => errors.push(String(error.code)))
      benches = connections.map(database =>
        workbench({ database, providers: [calendly({ signingKey: () => signingKey })], subscribers: {} }),
      )
    })
    beforeEach(() => {
      errors = []
    })
    after(async () => {
      for (const bench of benches) await bench.close()
      for (const one of connections) await one.destroy()
      await ledger.close()
    })

    /** Both have these to do at the same moment, and do them. */
    const play = async (deliveries: SampleDelivery[]) => {
      for (const [index, delivery] of deliveries.entries())
        expect((await benches[index % 2]!.deliver(delivery)).status).to.equal(200)
      await Promise.all(benches.map(({ inbox }) => inbox.drain()))
      // What one of them wakes while the other looks for the last time.
      for (let tries = 0; tries < 200 && (await rowsIn('pending')).length > 0; tries += 1) {
        await new Promise(resolve => setTimeout(resolve, 20))
        await benches[0]!.inbox.drain()
      }
    }
    const rowsIn = async (status: 'pending' | 'waiting' | 'dead') =>
      (await benches[0]!.inbox.events({ status }, { limit: 1_000 })).rows

    const expectState = async (account: string, bookings: string[], slots: [string, string][]) => {
      const { rows } = await benches[0]!.inbox.bookings({ account }, { limit: 2_000 })
      expect(rows.map(asTruth).sort()).to.deep.equal(bookings.sort())
      expect(await slotsOf(ledger.knex, account)).to.deep.equal(new Map(slots))
      for (const status of ['pending', 'waiting', 'dead'] as const)
        expect(await rowsIn(status), status).to.deep.equal([])
      expect(await ledger.knex('booking_webhooks_waiting')).to.deep.equal([])
      const store = knexStore(ledger.database, { migrate: false })
      expect(await store.sweep()).to.deep.equal({ lanes: 0, waiting: 0 })
      await store.close()
      // A deadlock of PostgreSQL's, and a lock's time-out anywhere, keep a lane waiting for a second or more. SQLite's BUSY is no wait,
      // and MySQL sees a deadlock at once.
      expect(errors.filter(code => !/^(SQLITE_BUSY|ER_LOCK_DEADLOCK)/.test(code))).to.deep.equal([])
    }

    it('the last two seats of a meeting are canceled: its slot is free', async () => {
      const { created, canceled, invitee } = inAccount('seats')
      const seats = rounds.flatMap(round =>
        ['a', 'b'].map(seat => invitee(`${round}${seat}`, round, { meeting: `EV${round}` })),
      )
      await play(seats.map(created))
      expect((await slotsOf(ledger.knex, 'seats')).size).to.equal(rounds.length)
      await play(seats.map(canceled))
      await expectState(
        'seats',
        seats.map(({ id }) => `${id} canceled false`),
        [],
      )
    })

    it('one comes as the holder of its slot goes: it has the slot', async () => {
      const { created, canceled, invitee } = inAccount('comers')
      const holders = rounds.map(round => invitee(`h${round}`, round))
      const comers = rounds.map(round => invitee(`c${round}`, round))
      await play(holders.map(created))
      await play(
        rounds.flatMap(round => {
          const both = [created(comers[round]!), canceled(holders[round]!)]
          return round % 2 === 0 ? both : both.reverse()
        }),
      )
      await expectState(
        'comers',
        rounds.flatMap(round => [`h${round} canceled false`, `c${round} confirmed false`]),
        rounds.map(round => [`host@${round}`, `EVc${round}`]),
      )
    })

    it('two swap their slots, each moving into the other’s: both have what they wanted', async () => {
      const { created, canceled, invitee } = inAccount('swaps')
      const pairs = rounds.map(round => {
        const here = { hosts: ['here'] }
        const there = { hosts: ['there'] }
        const a = invitee(`a${round}`, round, here)
        const b = invitee(`b${round}`, round, there)
        return {
          a,
          b,
          movedA: invitee(`x${round}`, round, { ...there, oldInvitee: a }),
          movedB: invitee(`y${round}`, round, { ...here, oldInvitee: b }),
        }
      })
      await play(pairs.flatMap(({ a, b }) => [created(a), created(b)]))
      await play(
        pairs.flatMap(({ a, b, movedA, movedB }) => [
          created(movedA),
          created(movedB),
          canceled({ ...a, newInvitee: movedA }),
          canceled({ ...b, newInvitee: movedB }),
        ]),
      )
      await expectState(
        'swaps',
        rounds.flatMap(round => [
          `a${round} rescheduled false`,
          `b${round} rescheduled false`,
          `x${round} confirmed false`,
          `y${round} confirmed false`,
        ]),
        rounds.flatMap(round => [
          [`there@${round}`, `EVx${round}`],
          [`here@${round}`, `EVy${round}`],
        ]),
      )
    })
  })

/** Knex as the store would make it. */
function connection({ database, knex }: Ledger<string>): Knex {
  const { client } = knex.client.config
  return createKnex({
    client,
    connection: client === 'better-sqlite3' ? { filename: database } : database,
    useNullAsDefault: true,
    compileSqlOnError: false,
  })
}

function inAccount(account: string) {
  const bookedAt = new Date(Date.UTC(2027, 0, 1))
  const at = new Date(Date.UTC(2027, 0, 2))
  return {
    invitee: (id: string, start: number, more: Partial<SampleInvitee> = {}): SampleInvitee => ({
      id,
      meeting: `EV${id}`,
      hosts: ['host'],
      startsAt: new Date(Date.UTC(2027, 0, 1) + (240 + start) * 3_600_000),
      bookedAt: more.oldInvitee ? at : bookedAt,
      seats: { limit: 10, active: 1 },
      ...more,
    }),
    created: (invitee: SampleInvitee) =>
      calendlyDelivery({
        key: signingKey,
        account,
        event: 'invitee.created',
        at: invitee.bookedAt!,
        invitee,
      }),
    canceled: (invitee: SampleInvitee) =>
      calendlyDelivery({ key: signingKey, account, event: 'invitee.canceled', at, invitee }),
  }
}
