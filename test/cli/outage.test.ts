import { randomBytes } from 'node:crypto'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import createKnex from 'knex'
import { runHere } from './run-here.js'
import { serving, until } from './serving.js'

const server = process.env.TEST_POSTGRES_URL
const key = 'a-signing-key-for-tests'

describe('booking-webhooks on PostgreSQL', function () {
  this.timeout(60_000)
  if (!server) {
    it.skip('is not covered: TEST_POSTGRES_URL is not set')
    return
  }

  it('migrates, serves, says so when the database is gone, and serves again when it is back', async () => {
    const name = `bw_cli_${randomBytes(6).toString('hex')}`
    const admin = createKnex({ client: 'pg', connection: server })
    const own = new URL(server)
    own.pathname = `/${name}`
    const environment = { CALENDLY_SIGNING_KEY: key, DATABASE_URL: own.href }
    await admin.raw(`CREATE DATABASE ${name}`)
    expect((await runHere(['migrate', '--check'], environment)).code).to.equal(1)
    expect((await runHere(['migrate'], environment)).code).to.equal(0)

    const { url, stop } = await serving([], { environment })
    const health = async () => (await fetch(`${url}/healthz`)).status
    const book = async () => {
      const { path, ...delivery } = calendlyDelivery({ key, event: 'invitee.created' })
      return (await fetch(`${url}/webhooks${path}`, delivery)).status
    }
    try {
      expect([await health(), await book()]).to.deep.equal([200, 200])
      await admin.raw(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
      await admin.raw('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ?', [name])
      expect([await health(), await book()]).to.deep.equal([503, 503])
      await admin.raw(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
      await until(async () => ((await health()) === 200 ? true : null))
      expect(await book()).to.equal(200)
      const { stdout } = await runHere(['events', '--json'], environment)
      expect(JSON.parse(stdout)).to.include({ deliveries: 2 })
    } finally {
      expect(await stop()).to.equal(0)
      await admin.raw(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.destroy()
    }
  })
})
