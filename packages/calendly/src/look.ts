import {
  idOrNull,
  objectOrNull,
  objectsIn,
  parseJsonBody,
  type SecondLook,
  type StoredReading,
} from '@booking-webhooks/core'
import type { CalendlyEnvelope, CalendlyPayload, CalendlySnapshot } from './payload.js'
import { canonicalInvitee, meetingOf } from './resource-uri.js'

/** A conference is made within seconds as a rule; no webhook tells when. */
const linkAfterMs = 30_000

/** What a look is for: an invitee of whom nothing came, the link of an invitee's meeting, or who is left in a meeting that was canceled. */
export type LookSubject =
  | { for: 'half'; invitee: string }
  | { for: 'link'; invitee: string; meeting: string }
  | { for: 'attendees'; meeting: string }

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

/**
 * Comes back for the other attendees of a meeting that was canceled as a whole: each should get a cancel of its own by then.
 * One look for the meeting, however many of them tell of it.
 */
export function lookForAttendees(meeting: string, afterMs: number): SecondLook {
  const key = `look:meeting:${meeting}`
  return { key, lane: key, afterMs, subject: { meeting }, unlessKnown: null }
}

/** Null where the subject is none of this adapter's. */
export function subjectOf(look: StoredReading): LookSubject | null {
  const parsed = parseJsonBody(look.body)
  const subject = 'value' in parsed ? objectOrNull<Record<string, unknown>>(parsed.value) : null
  const invitee = idOrNull(subject?.invitee)
  const meeting = idOrNull(subject?.meeting)
  if (invitee === null) return meeting === null ? null : { for: 'attendees', meeting }
  return meeting === null ? { for: 'half', invitee } : { for: 'link', invitee, meeting }
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

/** As `missedDeliveries`, for the cancels of a meeting's attendees, by what Calendly says of each of them. */
export function missedCancels(meeting: string, snapshot: CalendlySnapshot | null): CalendlyEnvelope[] {
  return objectsIn<CalendlyPayload>(snapshot?.invitees).flatMap(invitee => {
    const uri = canonicalInvitee(idOrNull(invitee.uri) ?? '')
    if (invitee.status !== 'canceled' || meetingOf(uri) !== meeting) return []
    const payload = { ...invitee, uri, scheduled_event: snapshot?.scheduled_event }
    return [{ event: 'invitee.canceled', created_at: invitee.updated_at, payload }]
  })
}
