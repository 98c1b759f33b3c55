import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { exampleOf } from '../readme/example.js'
import { key } from './bench.js'

describe('calendly: the example of the README', () => {
  it('lets in what Calendly signed and tells what it is', async () => {
    const { typesOf } = await exampleOf('packages/calendly/README.md', { CALENDLY_SIGNING_KEY: key })
    const { headers, body, method } = calendlyDelivery({ key, event: 'invitee.created' })
    const request = (bytes: string | Uint8Array<ArrayBuffer>) =>
      new Request('https://hooks.example.com/', { method, headers, body: bytes })
    expect(await typesOf(request(body))).to.deep.equal(['booking.created'])
    const refused = await typesOf(request('{}')).catch((error: Error) => error)
    expect(refused).to.have.property('code', 'SIGNATURE_MISMATCH')
  })
})
