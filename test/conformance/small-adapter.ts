import { createHash } from 'node:crypto'
import {
  type Adapter,
  accountKeys,
  decodeHexSha256,
  fittingKey,
  hmacSha256,
  idOrNull,
  objectOrNull,
  parseInstant,
  parseJsonBody,
  signatureError,
  textOrNull,
} from '@booking-webhooks/core'

interface Raw {
  id?: string
  type?: string
  occurred_at?: string
  payload?: { id?: string; start_at?: string; host?: string; summary?: string }
}

/** A fourth provider, as small as one can be: it knows `event.created` and `event.canceled`. */
export function small(signingKey: string): Adapter<'small', Raw> {
  return {
    provider: 'small',
    keys: accountKeys(signingKey, { setting: 'small({ signingKey })', variable: 'SMALL_SIGNING_KEY' }),
    verify({ headers, body }, { keys }) {
      const header = headers.get('x-small-signature')
      if (header === null)
        throw signatureError('SIGNATURE_MISSING', 'The header X-Small-Signature is missing.')
      const signature = header.startsWith('sha256=') ? decodeHexSha256(header.slice(7)) : null
      if (!signature)
        throw signatureError('SIGNATURE_MALFORMED', 'The header X-Small-Signature is malformed.')
      const keyIndex = fittingKey(keys, [signature], key => hmacSha256(key, body))
      if (keyIndex === null) throw signatureError('SIGNATURE_MISMATCH', 'None of the keys fits.')
      return { keyIndex, authenticated: 'signature' }
    },
    read({ body }) {
      const { raw, id, booking, event } = content(body)
      const isKnown = id !== null && event !== null
      const key = isKnown ? id : `unreadable:${createHash('sha256').update(body).digest('hex')}`
      return {
        readings: [
          {
            dedupeKey: key,
            lane: booking ?? key,
            providerType: event ?? 'unreadable',
            type: null,
            bookingId: isKnown ? booking : null,
            meetingId: isKnown ? booking : null,
            occurredUs: parseInstant(raw.occurred_at),
            unreadable: isKnown ? null : 'It has no id and type.',
          },
        ],
      }
    },
    interpret({ dedupeKey: key, body }) {
      const { raw, booking, event, id } = content(body)
      const occurredUs = parseInstant(raw.occurred_at)
      if (id === null || event === null) return [{ key, unreadable: 'It has no id and type.' }]
      const kind = kinds.get(event)
      if (!kind || booking === null) return [{ key, type: `provider.${event}`, occurredUs, raw }]
      const host = idOrNull(raw.payload?.host)
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
            startsUs: parseInstant(raw.payload?.start_at),
            endsUs: null,
            resources: host === null ? [] : [host],
            alias: null,
            noShow: null,
            cancellation: kind === 'canceled' ? { by: 'unknown', rescheduleRequested: false } : null,
            details: { booking: { title: textOrNull(raw.payload?.summary) } },
          },
        },
      ]
    },
  }
}

const kinds = new Map<string, 'created' | 'canceled'>([
  ['event.created', 'created'],
  ['event.canceled', 'canceled'],
])

function content(body: Uint8Array) {
  const parsed = parseJsonBody(body)
  const raw: Raw = ('value' in parsed && objectOrNull<Raw>(parsed.value)) || {}
  return { raw, id: idOrNull(raw.id), event: idOrNull(raw.type), booking: idOrNull(raw.payload?.id) }
}
