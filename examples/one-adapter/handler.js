import { calendly } from '@booking-webhooks/calendly'
import { formatInstantOrNull, isBookingWebhooksError } from '@booking-webhooks/core'

const adapter = calendly({ signingKey: process.env.CALENDLY_SIGNING_KEY })
// Calendly names bookings itself: there is no address to be hashed.
const context = { hash: String, connectedUs: 0 }

/**
 * A function of AWS Lambda behind a function URL: logs what happened to which booking.
 * `key` is the same on every retry; whoever takes the lines can drop repeats by it.
 *
 * @param {{ headers: Record<string, string>, body?: string, isBase64Encoded?: boolean }} event
 * @returns {Promise<{ statusCode: number }>}
 */
export async function handler({ headers, body = '', isBase64Encoded }) {
  const now = new Date()
  const request = {
    method: 'POST',
    publicUrl: null,
    headers: new Headers(headers),
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
    receivedAt: now,
    account: 'default',
  }
  try {
    await adapter.verify(request, { keys: (await adapter.keys('default')) ?? [], now })
  } catch (error) {
    if (isBookingWebhooksError(error)) return { statusCode: 401 }
    throw error
  }
  for (const { key, ...told } of interpreted(request))
    if ('fact' in told) {
      const { kind, target, startsUs } = told.fact
      const booking = target.kind === 'booking' ? target.id : target.meetingId
      console.log(JSON.stringify({ key, kind, booking, startsAt: formatInstantOrNull(startsUs) }))
    }
  return { statusCode: 200 }
}

/** @param {import('@booking-webhooks/core').WebhookRequest} request */
function interpreted(request) {
  const read = adapter.read(request, context)
  if ('reply' in read) return []
  return read.readings.flatMap((reading, index) =>
    adapter.interpret(
      {
        ...reading,
        provider: 'calendly',
        account: request.account,
        dedupeKey: reading.dedupeKey ?? '',
        index,
        isLook: false,
        headers: {},
        body: request.body,
        receivedUs: request.receivedAt.getTime() * 1000,
      },
      null,
      null,
      context,
    ),
  )
}
