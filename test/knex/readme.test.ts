import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { anEvent } from './support/an-event.js'

describe('the README of knex', () => {
  // Inside of the repository, so that the imports are found as a user's are.
  const directory = mkdtempSync(join(import.meta.dirname, 'readme-'))
  const { DATABASE_URL } = process.env
  before(() => {
    process.env.DATABASE_URL = join(directory, 'ledger.db')
  })
  after(() => {
    if (DATABASE_URL === undefined) delete process.env.DATABASE_URL
    else process.env.DATABASE_URL = DATABASE_URL
    rmSync(directory, { recursive: true, force: true })
  })

  it('has an example that stores an event', async () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../packages/knex/README.md'), 'utf8')
    expect(readme.trim().split('\n').length).to.be.lessThan(60)
    const file = join(directory, 'example.mjs')
    writeFileSync(file, /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '')
    const { database, store } = await import(pathToFileURL(file).href)
    await store.open()
    expect(await store.record([anEvent('1')])).to.have.length(1)
    await store.close()
    await database.destroy()
  })
})
