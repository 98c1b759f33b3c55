import type { IncomingMessage, ServerResponse } from 'node:http'
import { type FrameworkUnderTest, frameworkContract } from '@booking-webhooks/conformance'
import type { Inbox } from '@booking-webhooks/core'
import { bookingWebhooks } from '@booking-webhooks/core/node'
import { expect } from 'chai'
import { underContract } from '../http/support/ground.js'
import { listen } from '../http/support/listen.js'

type Listener = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** A door that does one thing wrong, and the promise that it breaks. */
const defects: [what: string, promise: string, broken: (inbox: Inbox) => Listener][] = [
  [
    'reads text',
    'keep their byte order mark',
    inbox => async (request, response, next) => {
      let text = ''
      request.setEncoding('utf8')
      for await (const piece of request) text += piece
      bookingWebhooks(inbox, { path: '/webhooks' })(Object.assign(request, { rawBody: text }), response, next)
    },
  ],
  [
    'redirects to the path without a slash',
    'serves the provider',
    inbox => (request, response, next) => {
      if (request.url?.endsWith('/')) response.writeHead(308, { location: request.url.slice(0, -1) }).end()
      else bookingWebhooks(inbox, { path: '/webhooks' })(request, response, next)
    },
  ],
  [
    'serves whatever is below the mount',
    'leaves everything else to the app',
    inbox => (request, response, next) => {
      if (request.url?.startsWith('/webhooks/')) request.url = '/webhooks/calendly'
      bookingWebhooks(inbox, { path: '/webhooks' })(request, response, next)
    },
  ],
  [
    'says why it refuses',
    '401 that tells nothing',
    inbox =>
      bookingWebhooks(
        {
          ...inbox,
          async receive(...given) {
            const reply = await inbox.receive(...given)
            return reply?.status === 401 ? { ...reply, body: 'wrong signature' } : reply
          },
        },
        { path: '/webhooks' },
      ),
  ],
  [
    'leaves other methods to the app',
    '405 with Allow',
    inbox => (request, response, next) => {
      if (request.method === 'POST') bookingWebhooks(inbox, { path: '/webhooks' })(request, response, next)
      else next()
    },
  ],
  [
    'does not look at the content encoding',
    'are inflated from gzip and deflate',
    inbox => (request, response, next) => {
      delete request.headers['content-encoding']
      bookingWebhooks(inbox, { path: '/webhooks' })(request, response, next)
    },
  ],
  [
    'has no limit',
    '413 to a body over the limit',
    inbox =>
      bookingWebhooks(
        { ...inbox, limits: { ...inbox.limits, maxBodyBytes: 1 << 30 } },
        { path: '/webhooks' },
      ),
  ],
  [
    'does not wait for the start',
    '503 with Retry-After until the inbox has started',
    inbox => bookingWebhooks({ ...inbox, start: async () => {} }, { path: '/webhooks' }),
  ],
  [
    'hangs up on those whom it refuses',
    'may keep their connection',
    inbox => (request, response, next) => {
      response.once('finish', () => response.statusCode > 400 && request.destroy())
      bookingWebhooks(inbox, { path: '/webhooks' })(request, response, next)
    },
  ],
]

describe('frameworkContract', () => {
  for (const [what, promise, broken] of defects)
    it(`catches a door that ${what}`, async () => {
      const test = testsOf(broken).find(({ title }) => title.startsWith(promise))
      expect(test, promise).to.not.equal(undefined)
      let caught: unknown
      await test?.body().catch(error => {
        caught = error
      })
      expect(caught).to.be.an.instanceOf(Error)
    })
})

/** The contract's tests over a door, collected instead of run. */
function testsOf(door: (inbox: Inbox) => Listener): { title: string; body: () => Promise<void> }[] {
  const collected: { title: string; body: () => Promise<void> }[] = []
  const serve: FrameworkUnderTest['serve'] = inbox => {
    const handle = door(inbox)
    return listen((request, response) =>
      handle(request, response, () => {
        response.writeHead(404).end('the app')
      }),
    )
  }
  frameworkContract(
    {
      describe: (_title, body) => body(),
      it: (title, body) => collected.push({ title, body }),
    },
    'a broken door',
    { ...underContract, serve },
  )
  return collected
}
