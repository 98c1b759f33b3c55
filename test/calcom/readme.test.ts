import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { calcomDelivery } from '@booking-webhooks/calcom/testing'
import { expect } from 'chai'
import { exampleSecret } from './examples.js'

const readme = join(import.meta.dirname, '../../../packages/calcom/README.md')

describe('calcom: the example of the README', () => {
  // Inside of the repository, so that the imports are found as a user's are.
  const directory = mkdtempSync(join(import.meta.dirname, 'readme-'))
  after(() => rmSync(directory, { recursive: true, force: true }))

  it('lets in what Cal.com signed and tells what it is', async () => {
    const text = readFileSync(readme, 'utf8')
    expect(text.split('\n').length).to.be.lessThan(60)
    const code = /```js\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
    const file = join(directory, 'example.mjs')
    writeFileSync(file, code.replaceAll('process.env.CALCOM_WEBHOOK_SECRET', JSON.stringify(exampleSecret)))
    const { typesOf } = await import(pathToFileURL(file).href)
    const { headers, body, method } = calcomDelivery({ key: exampleSecret, trigger: 'BOOKING_CREATED' })
    const request = (bytes: string | Uint8Array<ArrayBuffer>) =>
      new Request('https://hooks.example.com/', { method, headers, body: bytes })
    expect(await typesOf(request(body))).to.deep.equal(['booking.created'])
    const refused = await typesOf(request('{}')).catch((error: Error) => error)
    expect(refused).to.have.property('code', 'SIGNATURE_MISMATCH')
  })
})
