import { bookingWebhooks } from '@booking-webhooks/koa'
import { bodyParser } from '@koa/bodyparser'
import { expect } from 'chai'
import type Koa from 'koa'
import koaBody from 'koa-body'
import koaBodyparser from 'koa-bodyparser'
import { body, ground, sign } from '../http/support/ground.js'
import { listen } from '../http/support/listen.js'
import { post } from '../http/support/post.js'
import { frameworks } from './frameworks.js'

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const other = { 'content-type': 'application/octet-stream' }

const taken: [string, () => Koa.Middleware, string][] = [
  [
    'koa-bodyparser',
    () => koaBodyparser() as Koa.Middleware,
    'koa-bodyparser (or @koa/bodyparser) ran before',
  ],
  ['@koa/bodyparser', () => bodyParser() as Koa.Middleware, 'koa-bodyparser (or @koa/bodyparser) ran before'],
  ['koa-body', () => koaBody() as Koa.Middleware, 'koa-body ran before'],
  [
    'a middleware that reads the stream',
    () => async (context, next) => {
      for await (const _ of context.req);
      await next()
    },
    'A body parser ran before',
  ],
]

const left: [string, () => Koa.Middleware, Record<string, string>][] = [
  ['koa-bodyparser for another type', () => koaBodyparser() as Koa.Middleware, other],
  ['koa-body for another type', () => koaBody() as Koa.Middleware, other],
  [
    'a middleware that keeps the bytes in rawBody',
    () => async (context, next) => {
      const pieces: Buffer[] = []
      for await (const piece of context.req) pieces.push(piece)
      Object.assign(context.request, { rawBody: Buffer.concat(pieces), body: {} })
      await next()
    },
    json,
  ],
  [
    'a platform that left the bytes in req.rawBody',
    () => async (context, next) => {
      const pieces: Buffer[] = []
      for await (const piece of context.req) pieces.push(piece)
      Object.assign(context.req, { rawBody: Buffer.concat(pieces), body: {} })
      await next()
    },
    json,
  ],
]

for (const [name, Framework] of frameworks) {
  async function receive(first: Koa.Middleware, headers: Record<string, string>) {
    const { inbox, lines } = ground()
    const webhooks = bookingWebhooks(inbox)
    const app = new Framework()
    app.use(first)
    app.use(webhooks)
    const server = await listen(app.callback())
    try {
      const { status } = await post(server.port, '/', {
        body: body(1),
        headers: { ...sign(body(1)), ...headers },
      })
      return { status, lines }
    } finally {
      await server.close()
      await webhooks.close()
    }
  }

  describe(`${name} with something before bookingWebhooks()`, () => {
    for (const [what, first, advice] of taken)
      for (const headers of [json, form])
        it(`answers 500 at once after ${what} (${headers['content-type']}), and logs what to do`, async () => {
          const { status, lines } = await receive(first(), headers)
          expect(status).to.equal(500)
          const [line] = lines.filter(({ level }) => level === 'error')
          expect(line).to.include({ message: 'not received', code: 'BODY_ALREADY_PARSED', status: 500 })
          expect(line!.reason).to.include(advice)
        })

    for (const [what, first, headers] of left)
      it(`takes the bytes after ${what}`, async () => {
        expect((await receive(first(), headers)).status).to.equal(200)
      })
  })
}
