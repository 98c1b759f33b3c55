import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { exampleOf } from '../readme/example.js'
import { anEvent } from './support/an-event.js'

describe('the README of knex', () => {
  const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-'))
  after(() => rmSync(directory, { recursive: true, force: true }))

  it('has an example that stores an event', async () => {
    const { database, store } = await exampleOf('packages/knex/README.md', {
      DATABASE_URL: join(directory, 'ledger.db'),
    })
    await store.open()
    expect(await store.record([anEvent('1')])).to.have.length(1)
    await store.close()
    await database.destroy()
  })
})
