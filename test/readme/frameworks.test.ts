import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { listen } from '../http/support/listen.js'
import { post } from '../http/support/post.js'

const root = join(import.meta.dirname, '../../..')

describe('the example in the README of', () => {
  // Inside of the repository, so that the imports are found as a user's are.
  const directory = mkdtempSync(join(import.meta.dirname, 'frameworks-'))
  const { CALENDLY_SIGNING_KEY, DATABASE_URL } = process.env
  const key = 'the-key-of-the-readme'
  before(() => Object.assign(process.env, { CALENDLY_SIGNING_KEY: key, DATABASE_URL: ':memory:' }))
  after(() => {
    restore('CALENDLY_SIGNING_KEY', CALENDLY_SIGNING_KEY)
    restore('DATABASE_URL', DATABASE_URL)
    process.removeAllListeners('SIGTERM')
    rmSync(directory, { recursive: true, force: true })
  })

  for (const name of ['express', 'koa'])
    it(`${name} receives a signed booking, and leaves the rest to the app`, async () => {
      const readme = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8')
      expect(readme.trim().split('\n').length).to.be.lessThan(60)
      const file = join(directory, `${name}.mjs`)
      writeFileSync(file, /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '')
      const { app, webhooks } = await import(pathToFileURL(file).href)
      const server = await listen((typeof app === 'function' ? app : app.callback()) as RequestListener)
      try {
        const { body, headers } = calendlyDelivery({ key, event: 'invitee.created' })
        expect((await post(server.port, '/webhooks/calendly', { body, headers })).status).to.equal(200)
        expect((await post(server.port, '/webhooks/calendly', { body })).status).to.equal(401)
        expect((await post(server.port, '/other', { body, headers })).status).to.equal(404)
        expect((await webhooks.inbox.events()).rows).to.have.length(1)
      } finally {
        await server.close()
        await webhooks.close()
      }
    })
})

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}
