import { bookingWebhooks } from '@booking-webhooks/koa'
import Router from '@koa/router'
import { expect } from 'chai'
import type Koa from 'koa'
import mount from 'koa-mount'
import { body, ground, sign } from '../http/support/ground.js'
import { listen } from '../http/support/listen.js'
import { post } from '../http/support/post.js'
import { frameworks } from './frameworks.js'

type Mount = (app: Koa, webhooks: Koa.Middleware, Framework: typeof Koa) => void

/** Where it is mounted, and which paths are then served for one provider. */
const mounts: [string, Mount, string[], string[]][] = [
  [
    'at the root',
    (app, webhooks) => app.use(webhooks),
    ['/calendly', '/calendly/default', '/'],
    ['/webhooks', '/webhooks/calendly'],
  ],
  [
    'under koa-mount',
    (app, webhooks) => app.use(mount('/hooks', webhooks)),
    ['/hooks/calendly', '/hooks/calendly/default/', '/hooks', '/hooks/'],
    ['/calendly', '/hooks/other'],
  ],
  [
    'under koa-mount with a trailing slash',
    (app, webhooks) => app.use(mount('/hooks/', webhooks)),
    ['/hooks/calendly', '/hooks/calendly/default', '/hooks/'],
    ['/calendly', '/hooks/other'],
  ],
  [
    'in an app of its own',
    (app, webhooks, Framework) => app.use(mount('/api', new Framework().use(mount('/hooks', webhooks)))),
    ['/api/hooks/calendly', '/api/hooks'],
    ['/api/calendly', '/hooks/calendly', '/calendly'],
  ],
  [
    'under a route that takes the rest',
    (app, webhooks) => app.use(new Router().all('/hooks{/*rest}', webhooks).routes()),
    ['/hooks/calendly', '/hooks/calendly/default', '/hooks'],
    ['/hooks/other', '/calendly'],
  ],
  [
    'under a route with parameters',
    (app, webhooks) => app.use(new Router({ prefix: '/api' }).post('/hooks/:provider', webhooks).routes()),
    ['/api/hooks/calendly', '/api/hooks/calendly/'],
    ['/api/hooks', '/api/hooks/other', '/hooks/calendly'],
  ],
  [
    'under a fixed route',
    (app, webhooks) => app.use(new Router().post('/hooks/calendly', webhooks).routes()),
    ['/hooks/calendly'],
    ['/hooks', '/hooks/other'],
  ],
]

for (const [name, Framework] of frameworks) {
  async function mounted(mount: Mount, providers: 1 | 2, test: (port: number) => Promise<void>) {
    const webhooks = bookingWebhooks(ground({ providers }).inbox)
    const app = new Framework()
    mount(app, webhooks, Framework)
    app.use(context => {
      if (context.path === '/' && context.method === 'GET') context.body = 'home'
    })
    const server = await listen(app.callback())
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

    it('without a provider of the mount itself where there are two', () =>
      mounted(
        (app, webhooks) => app.use(mount('/hooks', webhooks)),
        2,
        async port => {
          expect(await statusOf(port, '/hooks')).to.equal(404)
          expect(await statusOf(port, '/hooks/acuity')).to.equal(401)
        },
      ))

    it('under a path, whose own page it is not', () =>
      mounted(
        (app, webhooks) => app.use(mount('/hooks', webhooks)),
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
