import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { asPublished } from '../as-published.js'
import { type Consumer, consumer } from '../consumer.js'
import { booking } from './booking.js'

const key = 'a-key'

/** The whole app, with nothing but variables to go by. */
const apps: Record<string, { install: string[]; lacks: string; code: string }> = {
  Express: {
    install: ['express'],
    lacks: 'koa',
    code: `import express from 'express'
      import { bookingWebhooks } from 'booking-webhooks/express'
      const app = express()
      app.use('/webhooks', bookingWebhooks())
      const server = app.listen(0, () => book())`,
  },
  Koa: {
    install: ['koa', 'koa-mount'],
    lacks: 'express',
    code: `import Koa from 'koa'
      import mount from 'koa-mount'
      import { bookingWebhooks } from 'booking-webhooks/koa'
      const app = new Koa()
      app.use(mount('/webhooks', bookingWebhooks()))
      const server = app.listen(0, () => book())`,
  },
}

for (const [framework, { install, lacks, code }] of Object.entries(apps))
  describe(`booking-webhooks, installed beside ${framework}`, function () {
    this.timeout(180_000)
    let project: Consumer
    before(async () => {
      project = consumer()
      await project.install(...asPublished('booking-webhooks', ...install, 'better-sqlite3'))
    })
    after(() => project.remove())

    const app = `${code}\n${booking(key)}`
    const refused = async (environment: Record<string, string>): Promise<string> => {
      const said = await project.run('app.mjs', app, environment).catch(error => String(error.stderr))
      return /^\w*Error: (.*)$/m.exec(said)?.[1] ?? said
    }

    it(`does not bring ${lacks}`, () => {
      expect(project.installed()).to.include(install[0]).and.not.include(lacks)
    })

    it('receives with a key in the environment alone', async () => {
      expect(await project.run('app.mjs', app, { CALENDLY_SIGNING_KEY: key })).to.equal('200\n')
      expect(existsSync(join(project.directory, 'booking-webhooks.db'))).to.equal(true)
    })

    it('says which variable is missing', async () => {
      expect(await refused({})).to.equal(
        'No provider is connected. Set CALENDLY_SIGNING_KEY, CALCOM_WEBHOOK_SECRET or ACUITY_API_KEY: the key that the provider signs with.',
      )
      expect(await refused({ CALCOM_API_KEY: 'cal_key' })).to.equal(
        'CALCOM_API_KEY is set, but CALCOM_WEBHOOK_SECRET is not. Set CALCOM_WEBHOOK_SECRET, or unset CALCOM_API_KEY.',
      )
      expect(await refused({ CALENDLY_SIGNING_KEY: key, NODE_ENV: 'production' })).to.equal(
        'DATABASE_URL is not set, and NODE_ENV is production. Set it to postgres://…, mysql://…, or sqlite:PATH on a disk that stays.',
      )
      expect(await refused({ CALENDLY_SIGNING_KEY: key, FORWARD_URL: 'https://example.com' })).to.match(
        /^forward\(\{ secret \}\) .*FORWARD_SECRET/,
      )
    })

    it('says which driver is missing', async () => {
      expect(
        await refused({ CALENDLY_SIGNING_KEY: key, DATABASE_URL: 'postgres://db.example.com/bookings' }),
      ).to.equal('This database needs the package pg. Run npm install pg.')
    })

    it('brings the command', async () => {
      const help = await project.run(
        'help.mjs',
        "process.argv.push('--help')\nawait import('./node_modules/.bin/booking-webhooks')",
      )
      expect(help).to.include('Usage: booking-webhooks')
    })
  })
