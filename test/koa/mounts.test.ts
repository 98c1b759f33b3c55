import { bookingWebhooks } from '@booking-webhooks/koa'
import Router from '@koa/router'
import { expect } from 'chai'
import type Koa from 'koa'
import mount from 'koa-mount'
import { collectedLog } from '../http/support/collected-log.js'
import { listen } from '../http/support/listen.js'
import { post } from '../http/support/post.js'
import { body, sign, smallInbox } from '../http/support/small-inbox.js'
import { frameworks } from './frameworks.js'

type Mount = (app: Koa, webhooks: Koa.Middleware, Framework: typeof Koa) => void

/** Where it is mounted, and which paths are then served for one provider. */
const mounts: [string, Mount, string[], string[]][] = [
  [
    'at the root',
    (app, webhooks) => app.use(webhooks),
    ['/small', '/small/default', '/'],
    ['/webhooks', '/webhooks/small'],
  ],
  [
    'under koa-mount',
    (app, webhooks) => app.use(mount('/hooks', webhooks)),
    ['/hooks/small', '/hooks/small/default/', '/hooks', '/hooks/'],
    ['/small', '/hooks/other'],
  ],
  [
    'under koa-mount with a trailing slash',
    (app, webhooks) => app.use(mount('/hooks/', webhooks)),
    ['/hooks/small', '/hooks/small/default', '/hooks/'],
    ['/small', '/hooks/other'],
  ],
  [
    'in an app of its own',
    (app, webhooks, Framework) => app.use(mount('/api', new Framework().use(mount('/hooks', webhooks)))),
    ['/api/hooks/small', '/api/hooks'],
    ['/api/small', '/hooks/small', '/small'],
  ],
  [
    'under a route that takes the rest',
    (app, webhooks) => app.use(new Router().all('/hooks{/*rest}', webhooks).routes()),
    ['/hooks/small', '/hooks/small/default', '/hooks'],
    ['/hooks/other', '/small'],
  ],
  [
    'under a route with parameters',
    (app, webhooks) => app.use(new Router({ prefix: '/api' }).post('/hooks/:provider', webhooks).routes()),
    ['/api/hooks/small', '/api/hooks/small/'],
    ['/api/hooks', '/api/hooks/other', '/hooks/small'],
  ],
  [
    'under a fixed route',
    (app, webhooks) => app.use(new Router().post('/hooks/small', webhooks).routes()),
    ['/hooks/small'],
    ['/hooks', '/hooks/other'],
  ],
]

for (const [name, Framework] of frameworks) {
  async function mounted(mount: Mount, providers: string[], test: (port: number) => Promise<void>) {
    const webhooks = bookingWebhooks(smallInbox({ log: collectedLog().log }, providers))
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
        mounted(mount, ['small'], async port => {
          for (const path of served) expect(await statusOf(port, path), path).to.equal(200)
          for (const path of others) expect(await statusOf(port, path), path).to.equal(404)
        }),
      )

    it('without a provider of the mount itself where there are two', () =>
      mounted(
        (app, webhooks) => app.use(mount('/hooks', webhooks)),
        ['small', 'big'],
        async port => {
          expect(await statusOf(port, '/hooks')).to.equal(404)
          expect(await statusOf(port, '/hooks/big')).to.equal(200)
        },
      ))

    it('at the root, and leaves the app its home page', () =>
      mounted(
        (app, webhooks) => app.use(webhooks),
        ['small'],
        async port => {
          expect(await post(port, '/', { method: 'GET' })).to.deep.equal({ status: 200, text: 'home' })
          expect((await post(port, '/small', { method: 'GET' })).status).to.equal(405)
        },
      ))
  })
}
