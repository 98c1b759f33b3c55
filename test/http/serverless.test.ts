import { gzipSync } from 'node:zlib'
import type { Inbox } from '@booking-webhooks/core'
import { bookingWebhooks as expressWebhooks } from '@booking-webhooks/express'
import { bookingWebhooks as koaWebhooks } from '@booking-webhooks/koa'
import { expect } from 'chai'
import mount from 'koa-mount'
import serverless from 'serverless-http'
import { frameworks as expresses } from '../express/frameworks.js'
import { frameworks as koas } from '../koa/frameworks.js'
import { body, ground, sign } from './support/ground.js'

interface Payload {
  bytes: Uint8Array
  isBase64Encoded: boolean
  headers?: Record<string, string>
  method?: string
}

/** Amazon's two kinds of events for the same request. */
const events = {
  'a REST API': ({ bytes, isBase64Encoded, headers, method = 'POST' }: Payload) => ({
    httpMethod: method,
    path: '/webhooks/calendly',
    headers: { ...sign(body(1)), 'Content-Type': 'application/json', ...headers },
    multiValueHeaders: {},
    requestContext: { identity: { sourceIp: '192.0.2.1' } },
    body: Buffer.from(bytes).toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
  }),
  'an HTTP API': ({ bytes, isBase64Encoded, headers, method = 'POST' }: Payload) => ({
    version: '2.0',
    rawPath: '/webhooks/calendly',
    rawQueryString: '',
    headers: { ...sign(body(1)), 'content-type': 'application/json', ...headers },
    requestContext: { http: { method, sourceIp: '192.0.2.1' } },
    body: Buffer.from(bytes).toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
  }),
}

type App = Parameters<typeof serverless>[0]

const apps: [string, (inbox: Inbox) => App][] = [
  ...expresses.map(([name, express]): [string, (inbox: Inbox) => App] => [
    name,
    inbox => express().use('/webhooks', expressWebhooks(inbox)),
  ]),
  ...koas.map(([name, Koa]): [string, (inbox: Inbox) => App] => [
    name,
    inbox => new Koa().use(mount('/webhooks', koaWebhooks(inbox))),
  ]),
]

for (const [name, app] of apps)
  for (const [source, event] of Object.entries(events))
    describe(`${name} in a Lambda behind ${source}`, () => {
      async function answer(payload: Payload): Promise<number> {
        const { inbox, close } = ground()
        const { statusCode } = (await serverless(app(inbox))(event(payload), {})) as { statusCode: number }
        await close()
        return statusCode
      }

      it('takes a body in base64', async () => {
        expect(await answer({ bytes: body(1), isBase64Encoded: true })).to.equal(200)
      })

      it('takes a body in text', async () => {
        expect(await answer({ bytes: body(1), isBase64Encoded: false })).to.equal(200)
      })

      it('inflates a compressed body in base64', async () => {
        const headers = { 'content-encoding': 'gzip' }
        expect(await answer({ bytes: gzipSync(body(1)), isBase64Encoded: true, headers })).to.equal(200)
      })

      it('refuses other bytes', async () => {
        expect(await answer({ bytes: body(2), isBase64Encoded: true })).to.equal(401)
      })

      it('answers 405 to other methods', async () => {
        expect(await answer({ bytes: Buffer.alloc(0), isBase64Encoded: false, method: 'GET' })).to.equal(405)
      })
    })
