import {
  idOrNull,
  objectOrNull,
  parseJsonBody,
  type SecondLook,
  type StoredReading,
} from '@booking-webhooks/core'
import type { CalendlyEnvelope, CalendlyPayload, CalendlySnapshot } from './payload.js'

/** A conference is made within seconds as a rule; no webhook tells when. */
const linkAfterMs = 30_000

/** What a look is for: an invitee of whom nothing came, or the link of an invitee's meeting. */
export interface LookSubject {
  invitee: string
  /** Set where the look is for the meeting's link. */
  meeting: string | null
}

/**
 * Comes back for the created half of a reschedule, which alone knows the new time, in case it never arrives.
 * In a lane of its own: the half itself may come while Calendly is asked for it, and is told at once.
 */
export function lookForCreatedHalf(newInvitee: string, afterMs: number): SecondLook {
  const key = `look:${newInvitee}`
  return { key, lane: key, afterMs, subject: { invitee: newInvitee }, unlessKnown: newInvitee }
}

/** Comes back for the link of a conference that was still being made. In a lane of its own: nobody waits for it. */
export function lookForLink(invitee: string, meeting: string): SecondLook {
  const key = `look:link:${invitee}`
  return { key, lane: key, afterMs: linkAfterMs, subject: { invitee, meeting }, unlessKnown: null }
}

/** Null where the subject is none of this adapter's. */
export function subjectOf(look: StoredReading): LookSubject | null {
  const parsed = parseJsonBody(look.body)
  const subject = 'value' in parsed ? objectOrNull<LookSubject>(parsed.value) : null
  const invitee = idOrNull(subject?.invitee)
  return invitee === null ? null : { invitee, meeting: idOrNull(subject?.meeting) }
}

/** The deliveries that a fetched invitee stands for. They have the keys of the real ones, so that one which comes after all is a repeat. */
export function missedDeliveries(uri: string, snapshot: CalendlySnapshot | null): CalendlyEnvelope[] {
  const invitee = objectOrNull<CalendlyPayload>(snapshot?.invitee)
  if (!invitee) return []
  const payload = { ...invitee, uri, scheduled_event: snapshot?.scheduled_event }
  const delivery = (event: string): CalendlyEnvelope => ({ event, created_at: invitee.created_at, payload })
  return [
    delivery('invitee.created'),
    ...(objectOrNull(invitee.no_show) ? [delivery('invitee_no_show.created')] : []),
  ]
}
