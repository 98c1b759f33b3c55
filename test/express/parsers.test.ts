import { gzipSync } from 'node:zlib'
import { bookingWebhooks } from '@booking-webhooks/express'
import { expect } from 'chai'
import type express from 'express'
import { body, ground, sign } from '../http/support/ground.js'
import { listen } from '../http/support/listen.js'
import { post } from '../http/support/post.js'
import { frameworks } from './frameworks.js'

type First = (framework: typeof express) => express.RequestHandler

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
const text = { 'content-type': 'text/plain' }

const taken: [string, First, Record<string, string>, string][] = [
  ['express.json()', framework => framework.json(), json, 'Mount bookingWebhooks() before express.json()'],
  [
    'express.urlencoded()',
    framework => framework.urlencoded({ extended: true }),
    form,
    'Mount bookingWebhooks() before express.urlencoded()',
  ],
  ['express.text()', framework => framework.text(), text, 'Mount bookingWebhooks() before express.text()'],
  [
    'a middleware that reads the stream',
    () => async (request, _response, next) => {
      for await (const _ of request);
      next()
    },
    json,
    'A body parser ran before bookingWebhooks()',
  ],
  [
    'a middleware that reads and goes on at once',
    () => (request, _response, next) => {
      request.once('data', () => next())
    },
    json,
    'A body parser ran before bookingWebhooks()',
  ],
  [
    'a middleware that decodes the stream',
    () => (request, _response, next) => {
      request.setEncoding('utf8')
      next()
    },
    json,
    'A body parser ran before bookingWebhooks()',
  ],
]

const left: [string, First, Record<string, string>, Uint8Array][] = [
  ['express.raw()', framework => framework.raw({ type: '*/*' }), json, body(1)],
  [
    'express.raw(), which inflated it',
    framework => framework.raw({ type: '*/*' }),
    { 'content-encoding': 'gzip' },
    gzipSync(body(1)),
  ],
  ['express.json() for another type', framework => framework.json(), text, body(1)],
  [
    'express.json() that keeps the bytes',
    framework =>
      framework.json({ verify: (request, _, bytes) => Object.assign(request, { rawBody: bytes }) }),
    json,
    body(1),
  ],
  [
    'express.json() that keeps the text',
    framework =>
      framework.json({
        verify: (request, _, bytes) => Object.assign(request, { rawBody: bytes.toString() }),
      }),
    json,
    body(1),
  ],
  [
    'a platform that read the stream and left the bytes',
    () => async (request, _response, next) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece)
      Object.assign(request, {
        body: JSON.parse(Buffer.concat(pieces).toString()),
        rawBody: Buffer.concat(pieces),
      })
      next()
    },
    json,
    body(1),
  ],
]

for (const [name, framework] of frameworks) {
  async function receive(first: First, headers: Record<string, string>, sent: Uint8Array, limit?: number) {
    const { inbox, lines } = ground(limit ? { maxBodyBytes: limit } : {})
    const webhooks = bookingWebhooks(inbox)
    const app = framework()
    app.use(first(framework))
    app.use('/webhooks', webhooks)
    const server = await listen(app)
    try {
      const { status } = await post(server.port, '/webhooks', {
        body: sent,
        headers: { ...sign(body(1)), ...headers },
      })
      return { status, lines }
    } finally {
      await server.close()
      await webhooks.close()
    }
  }

  describe(`${name} with something before bookingWebhooks()`, () => {
    for (const [what, first, headers, advice] of taken)
      it(`answers 500 at once after ${what}, and logs what to do`, async () => {
        const { status, lines } = await receive(first, headers, body(1))
        expect(status).to.equal(500)
        const [line] = lines.filter(({ level }) => level === 'error')
        expect(line).to.include({ message: 'not received', code: 'BODY_ALREADY_PARSED', status: 500 })
        expect(line!.reason).to.include(advice)
        expect(line!.reason).to.not.include('Zoë')
      })

    for (const [what, first, headers, sent] of left)
      it(`takes the bytes after ${what}`, async () => {
        expect((await receive(first, headers, sent)).status).to.equal(200)
      })

    it('holds bytes that were left to the limit, too', async () => {
      const raw: First = framework => framework.raw({ type: '*/*' })
      expect((await receive(raw, json, body(1), 10)).status).to.equal(413)
    })
  })
}
