import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'

describe('the example in the README of core', () => {
  // Inside of the repository, so that the imports are found as a user's are.
  const directory = mkdtempSync(join(import.meta.dirname, 'core-'))
  after(() => rmSync(directory, { recursive: true, force: true }))

  it('answers a Request that is signed, and no other', async () => {
    const key = 'the-key-of-the-readme'
    const readme = readFileSync(join(import.meta.dirname, '../../../packages/core/README.md'), 'utf8')
    expect(readme.trim().split('\n').length).to.be.lessThan(60)
    const code = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    const file = join(directory, 'example.mjs')
    writeFileSync(
      file,
      code
        .replace('process.env.CALENDLY_SIGNING_KEY', JSON.stringify(key))
        .replace('process.env.DATABASE_URL', JSON.stringify(':memory:')),
    )
    const { POST, webhooks } = await import(pathToFileURL(file).href)
    try {
      const { headers, body, method } = calendlyDelivery({ key, event: 'invitee.created' })
      const answered = async (path: string, sent: object) =>
        (await POST(new Request(`https://hooks.example.com${path}`, { method, body, ...sent }))).status
      expect(await answered('/webhooks/calendly', { headers })).to.equal(200)
      expect(await answered('/webhooks/calendly', {})).to.equal(401)
      expect(await answered('/elsewhere', { headers })).to.equal(404)
      expect((await webhooks.inbox.events()).rows).to.have.length(1)
    } finally {
      await webhooks.close()
    }
  })
})
