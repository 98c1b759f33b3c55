import {
  idOrNull,
  objectOrNull,
  parseJsonBody,
  type SecondLook,
  type StoredReading,
} from '@booking-webhooks/core'
import type { CalendlyEnvelope, CalendlyPayload, CalendlySnapshot } from './payload.js'

/** Comes back for the created half of a reschedule, which alone knows the new time, in case it never arrives. */
export function lookForCreatedHalf(newInvitee: string, afterMs: number): SecondLook {
  return {
    key: `look:${newInvitee}`,
    lane: newInvitee,
    afterMs,
    subject: { invitee: newInvitee },
    unlessKnown: newInvitee,
  }
}

/** The invitee that a look is for; null where its subject is none of this adapter's. */
export function lookedFor(look: StoredReading): string | null {
  const parsed = parseJsonBody(look.body)
  const subject = 'value' in parsed ? objectOrNull<{ invitee: string }>(parsed.value) : null
  return idOrNull(subject?.invitee)
}

/** The deliveries that a fetched invitee stands for. They have the keys of the real ones, so that one which comes after all is a repeat. */
export function missedDeliveries(look: StoredReading, snapshot: CalendlySnapshot | null): CalendlyEnvelope[] {
  const uri = lookedFor(look)
  const invitee = objectOrNull<CalendlyPayload>(snapshot?.invitee)
  if (uri === null || !invitee) return []
  const payload = { ...invitee, uri, scheduled_event: snapshot?.scheduled_event }
  const delivery = (event: string): CalendlyEnvelope => ({ event, created_at: invitee.created_at, payload })
  return [
    delivery('invitee.created'),
    ...(objectOrNull(invitee.no_show) ? [delivery('invitee_no_show.created')] : []),
  ]
}
