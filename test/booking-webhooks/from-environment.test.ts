import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { calendly, knexStore } from 'booking-webhooks'
import { bookingWebhooks as onExpress } from 'booking-webhooks/express'
import { bookingWebhooks as onKoa } from 'booking-webhooks/koa'
import { expect } from 'chai'
import express from 'express'
import Koa from 'koa'
import mount from 'koa-mount'
import { listen, status } from '../forward/target.js'

const key = 'a-signing-key-for-tests'
const log = { debug() {}, info() {}, warn() {}, error() {} }

const frameworks = {
  express: {
    bookingWebhooks: onExpress,
    serve: (webhooks: unknown): RequestListener =>
      express().use('/webhooks', webhooks as ReturnType<typeof onExpress>),
  },
  koa: {
    bookingWebhooks: onKoa,
    serve: (webhooks: unknown): RequestListener =>
      new Koa().use(mount('/webhooks', webhooks as ReturnType<typeof onKoa>)).callback(),
  },
}

for (const [name, { bookingWebhooks, serve }] of Object.entries(frameworks))
  describe(`bookingWebhooks() of booking-webhooks/${name}`, () => {
    const { env } = process
    const cwd = process.cwd()
    let directory: string

    beforeEach(() => {
      directory = realpathSync(mkdtempSync(join(tmpdir(), 'booking-webhooks-')))
      process.chdir(directory)
    })
    afterEach(() => {
      process.env = env
      process.chdir(cwd)
      rmSync(directory, { recursive: true, force: true })
    })

    /** Serves, books once, and returns the answer's status. */
    async function book(webhooks: ReturnType<typeof bookingWebhooks>): Promise<number> {
      const server = createServer(serve(webhooks)).listen(0, '127.0.0.1')
      await new Promise(resolve => server.once('listening', resolve))
      const { path, ...delivery } = calendlyDelivery({ key, event: 'invitee.created' })
      const { port } = server.address() as AddressInfo
      const { status } = await fetch(`http://127.0.0.1:${port}/webhooks${path}`, delivery)
      await new Promise(resolve => server.close(resolve))
      await webhooks.inbox.drain()
      return status
    }

    it('needs nothing but a key in the environment', async () => {
      process.env = { CALENDLY_SIGNING_KEY: key }
      const webhooks = bookingWebhooks({ log })
      expect(await book(webhooks)).to.equal(200)
      expect((await webhooks.inbox.bookings()).rows).to.have.length(1)
      await webhooks.close()
      expect(readdirSync(directory)).to.include('booking-webhooks.db')
    })

    it('forwards where FORWARD_URL is set', async () => {
      const target = await listen(status(204))
      const FORWARD_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
      process.env = { CALENDLY_SIGNING_KEY: key, FORWARD_URL: target.url, FORWARD_SECRET }
      const webhooks = bookingWebhooks({ log })
      await book(webhooks)
      await webhooks.close()
      await target.close()
      expect(target.received.map(({ body }) => JSON.parse(body).type)).to.deep.equal(['booking.created'])
    })

    it('lets options win over the environment', async () => {
      process.env = { CALENDLY_SIGNING_KEY: 'another-signing-key', FORWARD_URL: 'not even a URL' }
      const told: string[] = []
      const webhooks = bookingWebhooks({
        providers: [calendly({ signingKey: key })],
        store: knexStore('mine.db'),
        on: {
          'booking.created': ({ booking }) => void told.push(booking.attendee?.name ?? ''),
          'booking.rescheduled': null,
          'booking.conflict': null,
        },
        log,
      })
      expect(await book(webhooks)).to.equal(200)
      await webhooks.close()
      expect(told).to.deep.equal(['Ann Example'])
      expect(readdirSync(directory)).not.to.include('booking-webhooks.db')
    })

    it('mounts an inbox that is there already', async () => {
      process.env = { CALENDLY_SIGNING_KEY: key }
      const { inbox } = bookingWebhooks({ log })
      process.env = {}
      const webhooks = bookingWebhooks(inbox)
      expect(await book(webhooks)).to.equal(200)
      await webhooks.close()
    })

    for (const [title, environment, said] of [
      ['no provider is set', {}, /CALENDLY_SIGNING_KEY, CALCOM_WEBHOOK_SECRET or ACUITY_API_KEY/],
      ['a key is empty', { CALENDLY_SIGNING_KEY: '' }, /CALENDLY_SIGNING_KEY is set but empty/],
      [
        'production has no database',
        { CALENDLY_SIGNING_KEY: key, NODE_ENV: 'production' },
        /DATABASE_URL is not set/,
      ],
      [
        'the target has no secret',
        { CALENDLY_SIGNING_KEY: key, FORWARD_URL: 'https://example.com' },
        /FORWARD_SECRET/,
      ],
    ] as const)
      it(`says what is missing where ${title}`, () => {
        process.env = environment
        expect(() => bookingWebhooks())
          .to.throw(said)
          .with.property('code', 'INVALID_OPTION')
      })
  })
