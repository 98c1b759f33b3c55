import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { adapterContract } from '@booking-webhooks/conformance'
import { acme } from './acme.js'

const key = 'a-secret-for-tests'
const booking = { id: 'B1', starts_at: '2026-10-14T21:00:00Z', room: 'R1', summary: 'Ann Example' }

/**
 * @param {string} id
 * @param {string} type
 */
function sample(id, type) {
  return Buffer.from(JSON.stringify({ id, type, occurred_at: '2026-10-12T15:04:05Z', booking }))
}

adapterContract(
  { describe, it },
  {
    adapter: acme({ secret: key }),
    key,
    sign: (body, secret) => ({
      'acme-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    }),
    samples: [
      { title: 'a booking', body: sample('E1', 'booking.made') },
      { title: 'its end', body: sample('E2', 'booking.dropped') },
      { title: 'something else', body: sample('E3', 'booking.praised') },
    ],
  },
)
