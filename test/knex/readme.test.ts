import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { exampleOf } from '../readme/example.js'
import { anEvent } from './support/an-event.js'
import { backDoor } from './support/databases.js'

describe('the README of knex', () => {
  const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-'))
  after(() => rmSync(directory, { recursive: true, force: true }))

  it('has an example that stores an event, in the database of an application with migrations of its own', async () => {
    const file = join(directory, 'ledger.db')
    const before = backDoor(file)
    await before.migrate.latest({ migrationSource: applications('1') })
    await before.destroy()
    const { database, store } = await exampleOf('packages/knex/README.md', { DATABASE_URL: file })
    await store.open()
    expect(await store.record([anEvent('1')])).to.have.length(1)
    const [, further] = await database.migrate.latest({ migrationSource: applications('1', '2') })
    expect(further).to.deep.equal(['2'])
    await store.close()
    await database.destroy()
  })
})

function applications(...names: string[]): Knex.MigrationSource<string> {
  return {
    getMigrations: async () => names,
    getMigrationName: name => name,
    getMigration: async name => ({
      up: knex => knex.schema.createTable(`of_application_${name}`, table => table.increments()),
      down: async () => {},
    }),
  }
}
