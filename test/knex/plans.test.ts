import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import type { Store } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { type Ledger, sharedGrounds } from '../support/ledgers.js'
import { signingKey, workbench } from '../support/workbench.js'

const booking = 'https://api.calendly.com/scheduled_events/EV1/invitees/IN1'

const page = { limit: 10, cursor: null }
const naming = 'INDEX booking_webhooks_events_of_booking (booking_id=?'
const key = 'INDEX sqlite_autoindex_booking_webhooks_bookings_1 (booking_id=?'

/** What is asked, and how it is found. */
const questions: Record<string, [ask: (store: Store) => Promise<unknown>, ...found: string[]]> = {
  'a list of events': [store => store.events({ booking }, page), naming],
  'a story': [store => store.explain(booking, {}), naming, key],
  'a story of what has no booking': [store => store.explain('none', {}), naming, key],
  'an erasure': [store => store.erase({ booking }, { dropPending: false }), naming, key],
  'a list of bookings': [store => store.bookings({ booking }, page), key],
  'a list of a thread': [
    store => store.bookings({ thread: booking }, page),
    'INDEX booking_webhooks_bookings_of_thread (thread_id=?',
  ],
}

describe('what is about a booking is found, among all that was ever stored', () => {
  let ledger: Ledger<string>
  beforeEach(async () => {
    const [sqlite] = sharedGrounds()
    ledger = await sqlite!.open()
    const bench = workbench({ database: ledger.knex })
    const invitee = { id: 'IN1', meeting: 'EV1', hosts: ['US1'] }
    await bench.deliver(calendlyDelivery({ key: signingKey, event: 'invitee.created', invitee }))
    await bench.inbox.drain()
    await bench.close()
  })
  afterEach(() => ledger.close())

  for (const [what, [ask, ...found]] of Object.entries(questions))
    it(`for ${what}`, async () => {
      const asked: { sql: string; bindings: Knex.RawBinding[] }[] = []
      ledger.knex.on('query', query => asked.push(query))
      await ask(knexStore(ledger.knex))
      ledger.knex.removeAllListeners('query')
      const plans: string[] = []
      // Knex writes a list of nothing as `1 = 0`, for which nothing is read.
      for (const { sql, bindings } of asked.filter(one =>
        /^(?!.*1 = \?)(select|update|delete)/i.test(one.sql),
      ))
        for (const { detail } of await ledger.knex.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings))
          plans.push(detail)
      for (const index of found) expect(plans.join('\n')).to.contain(index)
      expect(plans.filter(detail => isScan.test(detail))).to.be.empty
    })
})

/** Of what grows with each event; but for what is unsettled, which is little. */
const isScan =
  /^SCAN (e|booking_webhooks_events|booking_webhooks_bookings)(?! USING INDEX booking_webhooks_events_to_do)/
