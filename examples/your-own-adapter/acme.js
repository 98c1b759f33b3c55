import { createHash } from 'node:crypto'
import {
  accountKeys,
  idOrNull,
  objectOrNull,
  parseInstant,
  parseJsonBody,
  textOrNull,
} from '@booking-webhooks/core'
import { verify } from './verify.js'

/**
 * What Acme sends, as far as it is read. Whatever is read may be missing.
 *
 * @typedef {{
 *   id?: string,
 *   type?: string,
 *   occurred_at?: string,
 *   booking?: { id?: string, starts_at?: string, room?: string, summary?: string },
 * }} AcmePayload
 */

/** @type {Map<string, 'created' | 'canceled'>} */
const kinds = new Map([
  ['booking.made', 'created'],
  ['booking.dropped', 'canceled'],
])
const senseless = 'It has no id and type.'

/**
 * Acme, a provider that is made up: it tells of bookings that are made and dropped. Throws INVALID_OPTION.
 *
 * @param {{ secret: import('@booking-webhooks/core').AccountKeys }} options
 * @returns {import('@booking-webhooks/core').Adapter<'acme', AcmePayload>}
 */
export function acme({ secret }) {
  return {
    provider: 'acme',
    keys: accountKeys(secret, { setting: 'acme({ secret })', variable: 'ACME_SECRET' }),
    verify,
    read({ body }) {
      const { id, type, booking, raw } = content(body)
      const unreadable = id === null || type === null ? senseless : null
      const dedupeKey = id ?? `sha256:${createHash('sha256').update(body).digest('hex')}`
      const occurredUs = parseInstant(raw.occurred_at)
      const subject = { lane: booking ?? dedupeKey, bookingId: booking, meetingId: booking }
      const reading = { dedupeKey, providerType: type ?? 'unknown', type: null, occurredUs, unreadable }
      return { readings: [{ ...reading, ...subject }] }
    },
    interpret({ dedupeKey: key, body }) {
      const { id, type, booking, raw } = content(body)
      const occurredUs = parseInstant(raw.occurred_at)
      if (id === null || type === null) return [{ key, unreadable: senseless }]
      const kind = kinds.get(type)
      if (!kind || booking === null) return [{ key, type: `provider.${type}`, occurredUs, raw }]
      const room = idOrNull(raw.booking?.room)
      return [
        {
          key,
          raw,
          fact: {
            kind,
            target: { kind: 'booking', id: booking },
            occurredUs,
            previous: null,
            meetingId: booking,
            startsUs: parseInstant(raw.booking?.starts_at),
            endsUs: null,
            resources: room === null ? [] : [room],
            alias: null,
            noShow: null,
            cancellation: kind === 'canceled' ? { by: 'unknown', rescheduleRequested: false } : null,
            details: { booking: { title: textOrNull(raw.booking?.summary) } },
          },
        },
      ]
    },
  }
}

/**
 * Of what Acme signed, but anyone may have written.
 *
 * @param {Uint8Array} body
 */
function content(body) {
  const parsed = parseJsonBody(body)
  /** @type {AcmePayload} */
  const raw = ('value' in parsed && objectOrNull(parsed.value)) || {}
  return { raw, id: idOrNull(raw.id), type: idOrNull(raw.type), booking: idOrNull(raw.booking?.id) }
}
