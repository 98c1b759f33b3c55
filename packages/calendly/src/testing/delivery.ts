import { hmacSha256, type SampleDelivery, type SampleOptions } from '@booking-webhooks/core'
import { instant, type SampleInvitee, samplePayload, wholeSecond } from './payload.js'

export interface CalendlyDeliveryOptions extends SampleOptions {
  /** `invitee.created`, `invitee.canceled`, `invitee_no_show.created`, `invitee_no_show.deleted`, or any other name, then with `payload`. */
  event: string
  title?: string
  /** Who booked what, for the four events about invitees. */
  invitee?: SampleInvitee
  /** When it happened. Default: when it is sent. */
  at?: Date
  /** For cancels. Default `invitee`, without a reason. */
  canceler?: { type: 'host' | 'invitee'; reason?: string }
  /** The no-show's id. Default `NS1`. */
  noShow?: string
  /** Fields that replace those of the payload; undefined leaves one out. The whole payload for events about no invitee. */
  payload?: Record<string, unknown>
}

/** One delivery, signed as Calendly signs. */
export function calendlyDelivery(options: CalendlyDeliveryOptions): SampleDelivery {
  const { event, key, sentAt = new Date(), account = 'default' } = options
  const at = options.at ?? sentAt
  const text = JSON.stringify({
    event,
    created_at: wholeSecond(at),
    created_by: 'https://api.calendly.com/users/US9',
    payload: { ...payloadFor(options, at), ...options.payload },
  })
  const body = new TextEncoder().encode(text)
  return {
    title: options.title ?? event,
    method: 'POST',
    path: account === 'default' ? '/calendly' : `/calendly/${encodeURIComponent(account)}`,
    headers: {
      'content-type': 'application/json',
      'calendly-webhook-signature': calendlySignature(key, body, sentAt),
    },
    body,
  }
}

/** The value of `Calendly-Webhook-Signature` for these bytes. */
export function calendlySignature(key: string, body: Uint8Array, signedAt: Date): string {
  const seconds = Math.floor(signedAt.getTime() / 1000)
  return `t=${seconds},v1=${Buffer.from(hmacSha256(key, `${seconds}.`, body)).toString('hex')}`
}

function payloadFor(options: CalendlyDeliveryOptions, at: Date): Record<string, unknown> {
  const { event, invitee = {}, noShow = 'NS1' } = options
  const isAboutInvitee = event.startsWith('invitee.') || event.startsWith('invitee_no_show.')
  if (!isAboutInvitee) return {}
  const payload = samplePayload(invitee, at)
  const mark = { uri: `https://api.calendly.com/invitee_no_shows/${noShow}`, created_at: instant(at) }
  if (event === 'invitee_no_show.created') return { ...payload, no_show: mark }
  if (event === 'invitee_no_show.deleted') return { ...payload, no_show: undefined }
  return event === 'invitee.canceled' ? canceled(payload, options, at) : payload
}

function canceled(
  payload: Record<string, unknown>,
  { canceler = { type: 'invitee' }, invitee = {} }: CalendlyDeliveryOptions,
  at: Date,
): Record<string, unknown> {
  const cancellation = {
    canceled_by: canceler.type === 'host' ? 'Host' : payload.name,
    reason: canceler.reason ?? null,
    canceler_type: canceler.type,
    created_at: instant(at),
  }
  return {
    ...payload,
    status: 'canceled',
    updated_at: instant(at),
    rescheduled: invitee.newInvitee !== undefined,
    cancellation,
    scheduled_event: canceledMeeting(payload.scheduled_event as object, invitee, cancellation),
  }
}

/** The meeting goes on while others have a seat. */
function canceledMeeting(meeting: object, { seats }: SampleInvitee, cancellation: object): object {
  if (seats && seats.active > 0) return meeting
  const { limit } = seats ?? { limit: 1 }
  return { ...meeting, status: 'canceled', invitees_counter: { total: 1, active: 0, limit }, cancellation }
}
