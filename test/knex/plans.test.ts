import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import type { Store } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { type Ledger, sharedGrounds } from '../support/ledgers.js'
import { signingKey, workbench } from '../support/workbench.js'

const booking = 'https://api.calendly.com/scheduled_events/EV1/invitees/IN1'

const questions: Record<string, (store: Store) => Promise<unknown>> = {
  'a list': store => store.events({ booking }, { limit: 10, cursor: null }),
  'a story': store => store.explain(booking, { provider: 'calendly', account: 'default' }),
  'an erasure': store => store.erase({ booking }, { dropPending: false }),
  'an erasure of what has no booking': store => store.erase({ booking: 'none' }, { dropPending: false }),
}

describe('what names a booking is found, among all that was ever stored', () => {
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

  for (const [what, ask] of Object.entries(questions))
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
      expect(plans.join('\n')).to.contain('INDEX booking_webhooks_events_of_booking (booking_id=?')
      expect(plans.filter(detail => /^SCAN (e|booking_webhooks_events)(?! USING INDEX)/.test(detail))).to.be
        .empty
    })
})
