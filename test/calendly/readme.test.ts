import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { key } from './bench.js'

const readme = join(import.meta.dirname, '../../../packages/calendly/README.md')

describe('calendly: the example of the README', () => {
  // Inside of the repository, so that the imports are found as a user's are.
  const directory = mkdtempSync(join(import.meta.dirname, 'readme-'))
  after(() => rmSync(directory, { recursive: true, force: true }))

  it('lets in what Calendly signed and tells what it is', async () => {
    const code = /```js\n([\s\S]*?)```/.exec(readFileSync(readme, 'utf8'))?.[1] ?? ''
    const file = join(directory, 'example.mjs')
    writeFileSync(file, code.replaceAll('process.env.CALENDLY_SIGNING_KEY', JSON.stringify(key)))
    const { typesOf } = await import(pathToFileURL(file).href)
    const { headers, body, method } = calendlyDelivery({ key, event: 'invitee.created' })
    const request = (bytes: string | Uint8Array<ArrayBuffer>) =>
      new Request('https://hooks.example.com/', { method, headers, body: bytes })
    expect(await typesOf(request(body))).to.deep.equal(['booking.created'])
    const refused = await typesOf(request('{}')).catch((error: Error) => error)
    expect(refused).to.have.property('code', 'SIGNATURE_MISMATCH')
  })
})
