import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calcom } from '@booking-webhooks/calcom'
import { calcomDelivery } from '@booking-webhooks/calcom/testing'
import { BookingWebhooksError, type ErrorCode } from '@booking-webhooks/core'
import { bookingWebhooks as expressWebhooks } from '@booking-webhooks/express'
import { bookingWebhooks as koaWebhooks } from '@booking-webhooks/koa'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import express from 'express'
import Koa from 'koa'
import mount from 'koa-mount'
import { listen } from '../http/support/listen.js'
import { type Workbench, workbench } from '../support/workbench.js'

const root = join(import.meta.dirname, '../../..')
const secret = 'calcom-test-key-one-not-a-secret'
const { headers, body } = calcomDelivery({
  key: secret,
  trigger: 'BOOKING_CREATED',
  booking: { uid: 'uid1' },
})

/** What Cal.com may be answered. At 410 it switches the webhook off; a redirect is a lost delivery. */
const allowed = [200, 401, 404, 405, 408, 413, 415, 500, 503]

const frameworks: [string, (inbox: Workbench['inbox']) => RequestListener][] = [
  ['Express', inbox => express().use('/hooks', expressWebhooks(inbox))],
  ['Koa', inbox => new Koa().use(mount('/hooks', koaWebhooks(inbox))).callback()],
]

for (const [name, app] of frameworks)
  describe(`calcom: what ${name} answers`, () => {
    let directory: string
    let bench: Workbench
    let server: Awaited<ReturnType<typeof listen>>
    /** `volume` is what holds the database's file; it may come later. */
    const open = async (providers = [calcom({ secret })]) => {
      bench = workbench({ database: join(directory, 'volume', 'test.db'), providers })
      server = await listen(app(bench.inbox))
    }
    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-'))
    })
    afterEach(async () => {
      await server.close()
      await bench.close()
      rmSync(directory, { recursive: true, force: true })
    })

    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${server.port}${path}`, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(5_000),
        ...init,
      })
    const status = async (path: string, init?: RequestInit) => (await ask(path, init)).status
    const events = async () => (await bench.inbox.events()).rows

    it('503 while the store cannot be opened, and after the retry there is one event', async () => {
      await open()
      const refused = await ask('/hooks/calcom')
      expect(refused.status).to.equal(503)
      expect(refused.headers.get('retry-after')).to.match(/^\d+$/)
      mkdirSync(join(directory, 'volume'))
      expect(await status('/hooks/calcom')).to.equal(200)
      await bench.inbox.drain()
      expect(await events()).to.have.length(1)
      expect(bench.toldInShort()).to.deep.equal(['booking.created uid1'])
    })

    it('503 while the store takes nothing, and after the retry there is one event', async function () {
      this.timeout(10_000)
      mkdirSync(join(directory, 'volume'))
      await open()
      await bench.inbox.start()
      const other = new Database(join(directory, 'volume', 'test.db'))
      other.exec('BEGIN IMMEDIATE')
      try {
        expect(await status('/hooks/calcom')).to.equal(503)
      } finally {
        other.exec('ROLLBACK')
        other.close()
      }
      expect(await status('/hooks/calcom')).to.equal(200)
      expect(await status('/hooks/calcom'), 'sent once more').to.equal(200)
      await bench.inbox.drain()
      expect((await events()).map(row => row.deliveries)).to.deep.equal([2])
      expect(bench.toldInShort()).to.deep.equal(['booking.created uid1'])
    })

    it('a path with a slash at its end as the one without, and redirects nobody', async () => {
      mkdirSync(join(directory, 'volume'))
      await open()
      for (const path of ['/hooks', '/hooks/calcom', '/hooks/calcom/default']) {
        const answer = await ask(`${path}/`)
        expect(answer.status, path).to.equal(200)
        expect(answer.headers.get('location'), path).to.equal(null)
        expect(await status(path), path).to.equal(200)
      }
      expect((await events()).map(row => row.deliveries)).to.deep.equal([6])
    })

    it('never 410 and no redirect, whichever error of the library it is', async () => {
      mkdirSync(join(directory, 'volume'))
      // The one place where a user's own code decides which error a request meets.
      await open([
        calcom({
          secret(account) {
            throw new BookingWebhooksError(account as ErrorCode, 'Invented.')
          },
        }),
      ])
      const codes = readFileSync(join(root, 'docs/errors.md'), 'utf8').matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)
      const answers = new Map<string, number>()
      for (const [, code = ''] of codes) answers.set(code, await status(`/hooks/calcom/${code}`))
      expect(answers.get('STORE_BUSY')).to.equal(503)
      expect(answers.size).to.be.greaterThan(20)
      for (const [code, answer] of answers) expect(allowed, code).to.include(answer)
    })

    it('never 410 and no redirect to what is no delivery', async () => {
      mkdirSync(join(directory, 'volume'))
      await open()
      const unsigned = { 'content-type': 'application/json' }
      const asked: [number, string, RequestInit][] = [
        [401, '/hooks/calcom', { headers: unsigned }],
        [401, '/hooks/calcom', { headers: { ...headers, 'x-cal-signature-256': 'no-secret-provided' } }],
        [401, '/hooks/calcom/nobody', {}],
        [404, '/hooks/other', {}],
        [404, '/elsewhere/calcom', {}],
        [405, '/hooks/calcom', { method: 'GET', body: undefined }],
        [405, '/hooks/calcom/', { method: 'DELETE', body: undefined }],
        [413, '/hooks/calcom', { body: new Uint8Array(2 << 20) }],
        [415, '/hooks/calcom', { headers: { ...headers, 'content-encoding': 'br' } }],
      ]
      for (const [expected, path, init] of asked)
        expect(await status(path, init), `${init.method ?? 'POST'} ${path}`).to.equal(expected)
      expect(await events()).to.deep.equal([])
    })
  })

describe('calcom: the answers that the library knows', () => {
  it('hold neither 410 nor a redirect, in any of the files that answer', () => {
    const statuses = new Set<number>()
    for (const folder of ['core/src/receive', 'core/src/http', 'core/src/node', 'core/src/fetch'].concat(
      'core/src/inbox',
      'express/src',
      'koa/src',
    ))
      for (const file of readdirSync(join(root, 'packages', folder))) {
        const text = readFileSync(join(root, 'packages', folder, file), 'utf8')
        expect(text, file).not.to.match(/\b410\b|\bredirect\(|\blocation:/i)
        for (const [, status] of text.matchAll(/\breply\((\d+)/g)) statuses.add(Number(status))
      }
    expect([...statuses].sort()).to.deep.equal(allowed)
  })
})
