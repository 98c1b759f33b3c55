import { bookingWebhooks } from '@booking-webhooks/express'
import { expect } from 'chai'
import type express from 'express'
import { body, ground, sign } from '../http/support/ground.js'
import { listen } from '../http/support/listen.js'
import { post } from '../http/support/post.js'
import { frameworks } from './frameworks.js'

type Mount = (app: express.Express, webhooks: express.RequestHandler, framework: typeof express) => void

/** Where it is mounted, and which paths are then served for one provider. */
const mounts: [string, Mount, string[], string[]][] = [
  [
    'at the root',
    (app, webhooks) => app.use(webhooks),
    ['/calendly', '/calendly/default', '/'],
    ['/webhooks', '/webhooks/calendly'],
  ],
  [
    'under a router',
    (app, webhooks, framework) => app.use('/api', framework.Router().use('/hooks', webhooks)),
    ['/api/hooks/calendly', '/api/hooks/calendly/', '/api/hooks'],
    ['/hooks/calendly', '/api/calendly', '/api'],
  ],
  [
    'in an app of its own',
    (app, webhooks, framework) => app.use('/api', framework().use(webhooks)),
    ['/api/calendly', '/api/calendly/default', '/api'],
    ['/calendly', '/api/other'],
  ],
  [
    'under a mount with a parameter',
    (app, webhooks) => app.use('/tenants/:tenant', webhooks),
    ['/tenants/a/calendly', '/tenants/b'],
    ['/tenants', '/tenants/a/other'],
  ],
  [
    'as a route with a parameter',
    (app, webhooks) => app.post('/hooks/:provider', webhooks),
    ['/hooks/calendly', '/hooks/calendly/'],
    ['/hooks', '/hooks/other', '/hooks/calendly/default'],
  ],
  [
    'as a fixed route',
    (app, webhooks) => app.post('/hooks/calendly', webhooks),
    ['/hooks/calendly', '/hooks/calendly/'],
    ['/hooks', '/hooks/calendly/default'],
  ],
]

for (const [name, framework] of frameworks) {
  async function mounted(mount: Mount, providers: 1 | 2, test: (port: number) => Promise<void>) {
    const webhooks = bookingWebhooks(ground({ providers }).inbox)
    const app = framework()
    mount(app, webhooks, framework)
    app.get('/', (_request, response) => {
      response.send('home')
    })
    const server = await listen(app)
    try {
      await test(server.port)
    } finally {
      await server.close()
      await webhooks.close()
    }
  }
  const statusOf = async (port: number, path: string): Promise<number> =>
    (await post(port, path, { body: body(1), headers: sign(body(1)) })).status

  describe(`${name} mounts bookingWebhooks()`, () => {
    for (const [where, mount, served, others] of mounts)
      it(where, () =>
        mounted(mount, 1, async port => {
          for (const path of served) expect(await statusOf(port, path), path).to.equal(200)
          for (const path of others) expect(await statusOf(port, path), path).to.equal(404)
        }),
      )

    it('twice as fixed routes of two providers', () =>
      mounted(
        (app, webhooks) => app.post('/hooks/calendly', webhooks).post('/hooks/acuity', webhooks),
        2,
        async port => {
          expect(await statusOf(port, '/hooks/calendly')).to.equal(200)
          expect(await statusOf(port, '/hooks/acuity')).to.equal(401)
          expect(await statusOf(port, '/hooks/other')).to.equal(404)
        },
      ))

    it('without a provider of the mount itself where there are two', () =>
      mounted(
        (app, webhooks) => app.use('/hooks', webhooks),
        2,
        async port => {
          expect(await statusOf(port, '/hooks')).to.equal(404)
          expect(await statusOf(port, '/hooks/acuity')).to.equal(401)
        },
      ))

    it('under a path, whose own page it is not', () =>
      mounted(
        (app, webhooks) => app.use('/hooks', webhooks),
        1,
        async port => {
          expect((await post(port, '/hooks', { method: 'GET' })).status).to.equal(405)
          expect(await post(port, '/', { method: 'GET' })).to.deep.equal({ status: 200, text: 'home' })
        },
      ))

    it('at the root, and leaves the app its home page', () =>
      mounted(
        (app, webhooks) => app.use(webhooks),
        1,
        async port => {
          expect(await post(port, '/', { method: 'GET' })).to.deep.equal({ status: 200, text: 'home' })
          expect((await post(port, '/calendly', { method: 'GET' })).status).to.equal(405)
        },
      ))
  })
}
