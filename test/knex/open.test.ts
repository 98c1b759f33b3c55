import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'

describe('knexStore on a SQLite file', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('makes its tables at the first start and keeps the installation secret from then on', async () => {
    const first = knexStore(join(directory, 'ledger.db'))
    const { secret } = await first.open()
    await first.close()
    const second = knexStore(`sqlite:${join(directory, 'ledger.db')}`, { migrate: false })
    expect(await second.open()).to.deep.equal({ secret })
    await second.close()
    expect(secret).to.match(/^[0-9a-f]{64}$/)
  })

  it('names DATABASE_URL where there is no database', () => {
    expect(() => knexStore(undefined)).to.throw(/DATABASE_URL/)
  })
})
