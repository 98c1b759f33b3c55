import { createHash } from 'node:crypto'
import { idOrNull, type Micros, objectOrNull, parseJsonBody } from '@booking-webhooks/core'
import { inviteeKey, otherKey } from './dedupe-key.js'
import { type InviteeEvent, inviteeOccurredUs, isInviteeEvent, otherOccurredUs } from './occurred.js'
import type { CalendlyEnvelope, CalendlyPayload } from './payload.js'
import { canonicalInvitee, canonicalMeeting, meetingOf } from './resource-uri.js'

/** One thing that a body tells of: of an invitee, or of something that is no booking. */
export type Happening = InviteeHappening | OtherHappening

export interface InviteeHappening {
  of: 'invitee'
  event: InviteeEvent
  dedupeKey: string
  /** The invitee's canonical URI, which is the booking's id. */
  invitee: string
  meetingId: string
  /** The invitee that this one replaced. */
  oldInvitee: string | null
  /** The invitee that replaced this one. */
  newInvitee: string | null
  occurredUs: Micros | null
  payload: CalendlyPayload
}

export interface OtherHappening {
  of: 'other'
  event: string
  dedupeKey: string
  occurredUs: Micros | null
}

/** What a signed body holds: happenings (1..n), or the reason why it makes no sense, as the end of a sentence. */
export type Content = { envelope: CalendlyEnvelope; happenings: Happening[] } | Senseless

export interface Senseless {
  event: string | null
  problem: string
}

/** Never throws, whatever the bytes. */
export function contentOf(body: Uint8Array): Content {
  const parsed = parseJsonBody(body)
  if ('problem' in parsed) return { event: null, problem: `the body ${parsed.problem}` }
  const envelope = objectOrNull<CalendlyEnvelope>(parsed.value)
  if (!envelope) return { event: null, problem: 'the body is no JSON object' }
  const happenings = happeningsOf(envelope, () => createHash('sha256').update(body).digest('hex'))
  return 'problem' in happenings ? happenings : { envelope, happenings }
}

/** As `contentOf`, for an envelope that is parsed already. `bodyHash` is asked where nothing in it names what happened. */
export function happeningsOf(envelope: CalendlyEnvelope, bodyHash: () => string): Happening[] | Senseless {
  const event = idOrNull(envelope.event)
  if (event === null || idOrNull(`provider.${event}`) === null)
    return { event, problem: 'the body has no event name that can be kept' }
  const payload = objectOrNull<CalendlyPayload>(envelope.payload) ?? {}
  if (isInviteeEvent(event)) return inviteeHappenings(event, envelope, payload)
  const occurredUs = otherOccurredUs(event, envelope, payload)
  return [{ of: 'other', event, dedupeKey: otherKey(event, envelope, payload, bodyHash), occurredUs }]
}

function inviteeHappenings(
  event: InviteeEvent,
  envelope: CalendlyEnvelope,
  payload: CalendlyPayload,
): Happening[] | Senseless {
  const uri = idOrNull(payload.uri)
  if (uri === null) return { event, problem: 'payload.uri names no invitee' }
  for (const link of ['old_invitee', 'new_invitee'] as const)
    if (payload[link] && idOrNull(payload[link]) === null)
      return { event, problem: `payload.${link} names no invitee` }
  const invitee = canonicalInvitee(uri)
  const happening = (name: InviteeEvent): InviteeHappening => ({
    of: 'invitee',
    event: name,
    dedupeKey: inviteeKey(name, invitee, envelope, payload),
    invitee,
    meetingId: meetingIdOf(invitee, payload),
    oldInvitee: otherInvitee(payload.old_invitee, invitee),
    newInvitee: otherInvitee(payload.new_invitee, invitee),
    occurredUs: inviteeOccurredUs(name, envelope, payload),
    payload,
  })
  // A retry may be rendered anew, after the booking has been canceled: it tells both, the cancel under the key of its own delivery.
  const isCanceledByNow = event === 'invitee.created' && payload.status === 'canceled'
  return isCanceledByNow ? [happening(event), happening('invitee.canceled')] : [happening(event)]
}

function meetingIdOf(invitee: string, payload: CalendlyPayload): string {
  const uri = idOrNull(payload.event) ?? idOrNull(payload.scheduled_event?.uri)
  return uri === null ? meetingOf(invitee) : canonicalMeeting(uri)
}

/** An invitee that replaces itself is no link. */
function otherInvitee(uri: unknown, invitee: string): string | null {
  const id = idOrNull(uri)
  if (id === null) return null
  const other = canonicalInvitee(id)
  return other === invitee ? null : other
}
