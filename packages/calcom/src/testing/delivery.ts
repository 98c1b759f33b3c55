import { hmacSha256, type SampleDelivery, type SampleOptions } from '@booking-webhooks/core'
import { emailOf, millis, offset, type SampleBooking, samplePayload, sampleRow, seconds } from './payload.js'

export interface CalcomDeliveryOptions extends SampleOptions {
  /** `BOOKING_CREATED`, `MEETING_ENDED`, `PING`, … or any other name, then with `payload`. */
  trigger: string
  title?: string
  /** Who booked what. */
  booking?: SampleBooking
  /** When it happened. Default: when it is sent. */
  at?: Date
  /** Default `2021-10-20`. The newer one adds calendar files to some bodies. */
  version?: '2021-10-20' | '2026-07-27'
  /** For cancels: whose address the cancel link carried, and why. */
  canceler?: { email?: string; reason?: string; asksForAnotherTime?: boolean }
  /** For no-shows: who did not come, or came after all. Default: who booked did not. */
  marks?: readonly { email: string; noShow: boolean }[]
  /** For `BOOKING_CREATED`: the host accepted a request. */
  isAccepted?: boolean
  /** Fields that replace those of the payload; undefined leaves one out. The whole payload for triggers about no booking. */
  payload?: Record<string, unknown>
}

/** One delivery, minified and signed as Cal.com does it. */
export function calcomDelivery(options: CalcomDeliveryOptions): SampleDelivery {
  const { trigger, key, account = 'default', version = '2021-10-20' } = options
  const body = new TextEncoder().encode(JSON.stringify(envelope(options)))
  return {
    title: options.title ?? trigger,
    method: 'POST',
    path: account === 'default' ? '/calcom' : `/calcom/${encodeURIComponent(account)}`,
    headers: {
      'content-type': 'application/json',
      'x-cal-signature-256': calcomSignature(key, body),
      'x-cal-webhook-version': version,
    },
    body,
  }
}

/** The value of `X-Cal-Signature-256` for these bytes. */
export function calcomSignature(key: string, body: Uint8Array): string {
  return Buffer.from(hmacSha256(key, body)).toString('hex')
}

function envelope(options: CalcomDeliveryOptions): Record<string, unknown> {
  const { trigger, sentAt = new Date(), booking = {}, at = sentAt, payload } = options
  const triggerEvent = trigger
  if (trigger === 'MEETING_STARTED' || trigger === 'MEETING_ENDED')
    return { triggerEvent, ...sampleRow(booking, sentAt), ...payload }
  return { triggerEvent, createdAt: millis(at), payload: { ...payloadFor(options, sentAt), ...payload } }
}

function payloadFor(options: CalcomDeliveryOptions, sentAt: Date): Record<string, unknown> {
  const { trigger, booking = {}, version } = options
  const ics = version === '2026-07-27' && {
    attendeeIcsContent: 'BEGIN:VCALENDAR',
    organizerIcsContent: 'BEGIN:VCALENDAR',
  }
  switch (trigger) {
    case 'BOOKING_CREATED':
    case 'BOOKING_RESCHEDULED': {
      if (!options.isAccepted)
        return { ...samplePayload(booking, seconds, sentAt), status: 'ACCEPTED', ...ics }
      const lost = { iCalUID: undefined, iCalSequence: undefined, attendeeSeatId: undefined }
      return { ...samplePayload(booking, millis, sentAt), ...lost, status: 'ACCEPTED', ...ics }
    }
    case 'INSTANT_MEETING_ACCEPTED': {
      const { uid, ...rest } = samplePayload(booking, seconds, sentAt)
      return { ...rest, bookingUid: uid, status: 'ACCEPTED' }
    }
    case 'BOOKING_REQUESTED':
      return { ...samplePayload(booking, seconds, sentAt), requiresConfirmation: true, status: 'PENDING' }
    case 'BOOKING_REJECTED':
      return { ...samplePayload(booking, millis, sentAt), attendeeSeatId: undefined, status: 'REJECTED' }
    case 'BOOKING_CANCELLED':
      return { ...canceled(options, sentAt), ...ics }
    case 'BOOKING_PAID':
    case 'BOOKING_PAYMENT_INITIATED':
      return paid(booking, sentAt)
    case 'BOOKING_NO_SHOW_UPDATED':
      return marked(options)
    case 'BOOKING_LOCATION_UPDATED':
    case 'BOOKING_REASSIGNED':
      return { ...samplePayload(booking, millis, sentAt), ...ics }
    case 'PING':
      return ping(sentAt)
    default:
      return {}
  }
}

/** A cancel has lost its metadata, and a seat's cancel the seat. */
function canceled(
  { booking = {}, canceler = {} }: CalcomDeliveryOptions,
  sentAt: Date,
): Record<string, unknown> {
  const isSeat = typeof booking.seatsPerTimeSlot === 'number'
  return {
    ...samplePayload(booking, offset, sentAt),
    attendeeSeatId: undefined,
    responses: undefined,
    metadata: undefined,
    destinationCalendar: [],
    cancellationReason: canceler.reason ?? null,
    ...(!isSeat && { cancelledBy: canceler.email ?? emailOf(booking) }),
    status: 'CANCELLED',
    requestReschedule: canceler.asksForAnotherTime ?? false,
  }
}

function paid(booking: SampleBooking, sentAt: Date): Record<string, unknown> {
  const { paymentId = 501, price = 5_000 } = booking
  return {
    ...samplePayload({ ...booking, price }, millis, sentAt),
    responses: undefined,
    seatsPerTimeSlot: undefined,
    metadata: { bookerEmail: emailOf(booking) },
    paymentId,
    status: 'ACCEPTED',
  }
}

function marked({ booking = {}, marks }: CalcomDeliveryOptions): Record<string, unknown> {
  const { uid = 'uid1', bookingId = 9001 } = booking
  const attendees = marks ?? [{ email: emailOf(booking), noShow: true }]
  return { message: 'no-show updated', attendees, bookingUid: uid, bookingId }
}

function ping(sentAt: Date): Record<string, unknown> {
  const person = { timeZone: 'Europe/London', language: { locale: 'en' }, utcOffset: 0 }
  return {
    type: 'Test',
    title: 'Test trigger event',
    startTime: millis(sentAt),
    endTime: millis(sentAt),
    attendees: [{ email: 'jdoe@example.com', name: 'John Doe', ...person }],
    organizer: { name: 'Cal', email: 'no-reply@example.com', ...person },
  }
}
