import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { acuityDelivery, acuitySignature } from '@booking-webhooks/acuity/testing'
import type { SampleDelivery } from '@booking-webhooks/core'
import { bookingWebhooks } from '@booking-webhooks/express'
import { expect } from 'chai'
import express, { type RequestHandler } from 'express'
import { type Studio, studio } from './studio.js'

/** A form posted to a real Express, as Acuity posts it. */
describe('a request of Acuity', () => {
  let salon: Studio
  let server: Server
  let url: string
  const before: RequestHandler[] = []
  beforeEach(async () => {
    const keys = { default: 'test-key-1', east: 'test-key-east' }
    salon = await studio({ acuity: { apiKey: keys, userId: { default: '1000001', east: '1000002' } } })
    const app = express()
    app.use((request, response, next) => (before[0] ? before[0](request, response, next) : next()))
    app.use('/webhooks', bookingWebhooks(salon.inbox))
    server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
  })
  afterEach(async () => {
    before.length = 0
    server.close()
    server.closeAllConnections()
    await salon.end()
  })

  const send = async ({ path, headers, body }: Pick<SampleDelivery, 'path' | 'headers' | 'body'>) =>
    (await fetch(url + path, { method: 'POST', headers, body })).status
  const raw = (text: string) => {
    const body = new TextEncoder().encode(text)
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return {
      path: '/acuity',
      headers: { ...type, 'x-acuity-signature': acuitySignature('test-key-1', body) },
      body,
    }
  }
  const rows = async () => (await salon.inbox.events()).rows

  it('is stored and answered before anything is fetched', async () => {
    expect(await send(acuityDelivery({ key: 'test-key-1', action: 'scheduled' }))).to.equal(200)
    expect(salon.fake.calls).to.deep.equal([])
    expect(await rows()).to.have.length(1)
  })

  it('is measured by the key of its own account alone', async () => {
    const delivery = acuityDelivery({ key: 'test-key-1', action: 'scheduled', account: 'east' })
    expect(await send(delivery)).to.equal(401)
    expect(
      await send(acuityDelivery({ key: 'test-key-east', action: 'scheduled', account: 'east' })),
    ).to.equal(200)
    expect(await send(acuityDelivery({ key: 'test-key-1', action: 'scheduled', account: 'west' }))).to.equal(
      401,
    )
    expect((await rows()).map(row => row.account)).to.deep.equal(['east'])
  })

  it('is refused without a right signature, and leaves no row', async () => {
    const good = acuityDelivery({ key: 'test-key-1', action: 'scheduled' })
    const signature = good.headers['x-acuity-signature']
    const hex = Buffer.from(signature, 'base64').toString('hex')
    for (const wrong of [
      '',
      hex,
      signature.replace(/=$/, ''),
      `sha256=${signature}`,
      `${signature}, ${signature}`,
    ])
      expect(
        await send({ ...good, headers: { ...good.headers, 'x-acuity-signature': wrong } }),
        wrong,
      ).to.equal(401)
    const { 'x-acuity-signature': _, ...without } = good.headers
    expect(await send({ ...good, headers: without })).to.equal(401)
    expect(await rows()).to.deep.equal([])
  })

  it('is kept where it makes no sense, and nobody is asked', async () => {
    const senseless = [
      'action=changed&id=../me',
      'action=changed&id=5&id=6',
      'action=changed&id=',
      'action=changed&id=0x10',
    ]
    for (const text of senseless) expect(await send(raw(text)), text).to.equal(200)
    await salon.inbox.drain()
    expect((await rows()).map(row => row.outcome)).to.deep.equal(Array(4).fill('unreadable'))
    expect(salon.fake.calls).to.deep.equal([])
  })

  it('is never a pass where a body parser ran first: 500, and the log names the parser', async () => {
    for (const parser of [express.urlencoded(), express.text({ type: () => true })]) {
      before[0] = parser
      expect(await send(raw('action=changed&id=5'))).to.equal(500)
    }
    expect(await rows()).to.deep.equal([])
    expect(JSON.stringify(salon.lines)).to.contain('express.urlencoded()')
  })

  it('is nothing by GET', async () => {
    expect((await fetch(`${url}/acuity`)).status).to.equal(405)
  })
})
