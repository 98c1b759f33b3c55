import { calcomDelivery } from '@booking-webhooks/calcom/testing'
import { expect } from 'chai'
import { exampleOf } from '../readme/example.js'
import { exampleSecret } from './examples.js'

describe('calcom: the example of the README', () => {
  it('lets in what Cal.com signed and tells what it is', async () => {
    const { typesOf } = await exampleOf('packages/calcom/README.md', { CALCOM_WEBHOOK_SECRET: exampleSecret })
    const { headers, body, method } = calcomDelivery({ key: exampleSecret, trigger: 'BOOKING_CREATED' })
    const request = (bytes: string | Uint8Array<ArrayBuffer>) =>
      new Request('https://hooks.example.com/', { method, headers, body: bytes })
    expect(await typesOf(request(body))).to.deep.equal(['booking.created'])
    const refused = await typesOf(request('{}')).catch((error: Error) => error)
    expect(refused).to.have.property('code', 'SIGNATURE_MISMATCH')
  })
})
