import { createServer, request as forwardTo } from 'node:http'
import type { Inbox } from '@booking-webhooks/core'
import { bookingWebhooks } from '@booking-webhooks/core/node'
import { bookingWebhooks as expressWebhooks } from '@booking-webhooks/express'
import { bookingWebhooks as koaWebhooks } from '@booking-webhooks/koa'
import { expect } from 'chai'
import mount from 'koa-mount'
import { frameworks as expresses } from '../express/frameworks.js'
import { frameworks as koas } from '../koa/frameworks.js'
import { body, ground, sign } from './support/ground.js'
import { listen } from './support/listen.js'
import { post } from './support/post.js'

type Door = (inbox: Inbox) => Parameters<typeof listen>[0]

const doors: [string, Door][] = [
  ['node:http', inbox => bookingWebhooks(inbox, { path: '/webhooks' })],
  ...expresses.map(([name, express]): [string, Door] => [
    name,
    inbox => express().use('/webhooks', expressWebhooks(inbox)),
  ]),
  ...koas.map(([name, Koa]): [string, Door] => [
    name,
    inbox => new Koa().use(mount('/webhooks', koaWebhooks(inbox))).callback(),
  ]),
]

describe('behind a proxy that strips a prefix', () => {
  for (const [name, door] of doors)
    it(`${name} receives, and its answers come back as they are`, async () => {
      const { inbox, close } = ground()
      const server = await listen(door(inbox))
      const proxy = await listen(stripping('/api/v1', server.port))
      const answer = async (path: string, given: Parameters<typeof post>[2]) =>
        (await post(proxy.port, path, given)).status
      try {
        const signed = { body: body(1), headers: sign(body(1)) }
        for (const path of ['/calendly', '/calendly/default', '', '/calendly?from=calendly'])
          expect(await answer(`/api/v1/webhooks${path}`, signed), path).to.equal(200)
        expect(await answer('/api/v1/webhooks/calendly', { body: body(1) })).to.equal(401)
        expect(await answer('/api/v1/webhooks/calendly', { method: 'GET' })).to.equal(405)
        expect(await answer('/webhooks/calendly', signed)).to.equal(404)
        expect((await inbox.events()).rows).to.have.length(1)
      } finally {
        await proxy.close()
        await server.close()
        await close()
      }
    })
})

/** A reverse proxy as they come: strips what stands before, names whom it speaks for, and sends bodies on in chunks. */
function stripping(prefix: string, port: number) {
  return createServer((incoming, answer) => {
    const { method, url = '/', headers: sent } = incoming
    if (!url.startsWith(prefix)) return void answer.writeHead(404).end()
    const { host, 'content-length': _, ...headers } = sent
    const outgoing = forwardTo({
      port,
      method,
      path: url.slice(prefix.length),
      headers: { ...headers, 'x-forwarded-host': host, 'x-forwarded-prefix': prefix },
    })
    outgoing.once('response', ({ statusCode = 502, headers }) => {
      answer.writeHead(statusCode, headers).end()
    })
    incoming.pipe(outgoing)
  })
}
