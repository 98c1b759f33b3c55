import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import type { Inbox } from '@booking-webhooks/core'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { listen, status } from '../forward/target.js'
import { received } from '../support/received.js'
import { exampleOf } from './example.js'

describe('the page about subscribers', () => {
  it('has an example in which each subscriber does its part', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-'))
    const file = join(directory, 'test.db')
    const calendar = await listen(status(403))
    const crm = await listen(status(204))
    const { inbox, knex }: { inbox: Inbox; knex: Knex } = await exampleOf('docs/subscribers.md', {
      CALENDLY_SIGNING_KEY: 'a-signing-key-for-tests',
      DATABASE_FILE: file,
      CALENDAR_URL: calendar.url,
      FORWARD_URL: crm.url,
      FORWARD_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    })
    const delivery = calendlyDelivery({
      key: 'a-signing-key-for-tests',
      event: 'invitee.created',
    })
    await inbox.receive('calendly', received(delivery))
    await inbox.drain()
    const [event] = (await inbox.events()).rows
    const entries = await knex('entries')
    await inbox.close()
    await knex.destroy()
    await calendar.close()
    await crm.close()
    rmSync(directory, { recursive: true, force: true })

    expect(entries.map(({ booking }) => booking)).to.deep.equal([event!.bookingId])
    expect(crm.received).to.have.length(1)
    const told = event!.tells.map(({ subscriber, status, lastError }) => [subscriber, status, lastError])
    expect(told.sort()).to.deep.equal([
      ['calendar', 'dead', 'The calendar does not let us in.'],
      ['crm', 'done', null],
      ['ledger', 'done', null],
    ])
  })
})
