import {
  type Adapter,
  type Interpreted,
  objectOrNull,
  type StoredBooking,
  type StoredReading,
} from '@booking-webhooks/core'
import { factOf, linkFact } from './fact.js'
import { contentOf, type Happening, happeningsOf, type InviteeHappening } from './happening.js'
import { isLinkComing, locationOf } from './location.js'
import { lookForCreatedHalf, lookForLink, missedDeliveries, subjectOf } from './look.js'
import type { CalendlyEnvelope, CalendlyScheduledEvent, CalendlySnapshot } from './payload.js'
import { apiPath } from './resource-uri.js'

export interface InterpretOptions {
  /** How long the other half of a reschedule is waited for, in milliseconds. */
  missingHalfMs: number
  /** Whether Calendly can be asked for what a payload does not hold yet. */
  hasApi: boolean
}

/** What was found out beside the body. */
interface Found {
  /** For a payload without one. */
  meeting: CalendlyScheduledEvent | null
  booking: StoredBooking | null
}

/** Stored readings as events. Pure, and never throws. */
export function interpreter(options: InterpretOptions): Adapter['interpret'] {
  return (reading, snapshot, booking) => {
    const fetched = objectOrNull<CalendlySnapshot>(snapshot)
    if (reading.isLook) return interpretLook(reading, fetched, options)
    const content = contentOf(reading.body)
    const key = reading.dedupeKey
    if ('problem' in content) return [{ key, unreadable: content.problem }]
    const happening = content.happenings[reading.index]
    if (!happening) return [{ key, unreadable: 'the body does not tell so many events' }]
    const meeting = objectOrNull<CalendlyScheduledEvent>(fetched?.scheduled_event)
    return interpreted({ ...happening, dedupeKey: key }, content.envelope, { meeting, booking }, options)
  }
}

function interpretLook(
  look: StoredReading,
  fetched: CalendlySnapshot | null,
  options: InterpretOptions,
): Interpreted[] {
  const key = look.dedupeKey
  const subject = subjectOf(look)
  if (!subject) return [{ key, unreadable: 'the look has no subject' }]
  if (subject.meeting !== null) return [interpretLink(look, subject.invitee, fetched)]
  const missed = missedDeliveries(subject.invitee, fetched)
  if (missed.length === 0) return [{ key, unchanged: 'Calendly did not tell of the other half.' }]
  return missed.flatMap((raw): Interpreted[] => {
    const happenings = happeningsOf(raw, () => key)
    if ('problem' in happenings) return [{ key, unreadable: happenings.problem }]
    return happenings.flatMap(one =>
      interpreted(one, raw, { meeting: null, booking: null }, options).map(event =>
        'fact' in event ? { ...event, providerType: one.event } : event,
      ),
    )
  })
}

function interpretLink(
  { dedupeKey: key }: StoredReading,
  invitee: string,
  fetched: CalendlySnapshot | null,
): Interpreted {
  const meeting = objectOrNull<CalendlyScheduledEvent>(fetched?.scheduled_event)
  const location = locationOf(meeting?.location)
  if (!meeting || !location?.url || meeting.status === 'canceled')
    return { key, unchanged: 'The conference has no link yet.' }
  return {
    key,
    fact: linkFact(invitee, location),
    raw: { payload: { uri: invitee, scheduled_event: meeting } },
  }
}

function interpreted(
  happening: Happening,
  raw: CalendlyEnvelope,
  found: Found,
  options: InterpretOptions,
): Interpreted[] {
  const { dedupeKey: key, occurredUs, event } = happening
  if (happening.of === 'other') return [{ key, type: `provider.${event}`, occurredUs, raw }]
  const fact = factOf(happening, found.meeting)
  const { oldInvitee, newInvitee } = happening
  if (fact.kind !== 'half' || newInvitee === null)
    return [{ key, fact, raw, look: lookAfter(happening, found, options) }]
  const half = { key, fact, raw, look: lookForCreatedHalf(newInvitee, options.missingHalfMs) }
  // In the middle of a chain: the older link counts too, in case the half that made it never came.
  if (oldInvitee === null || found.booking?.previousId === oldInvitee) return [half]
  const end = factOf({ ...happening, newInvitee: null }, found.meeting)
  return [half, { key: `${key}|${oldInvitee}`, fact: end, raw }]
}

function lookAfter(
  { event, invitee, meetingId, payload }: InviteeHappening,
  { meeting }: Found,
  { hasApi }: InterpretOptions,
) {
  if (!hasApi || event !== 'invitee.created' || payload.status === 'canceled') return undefined
  const known = objectOrNull<CalendlyScheduledEvent>(payload.scheduled_event) ?? meeting
  return known && isLinkComing(known) && apiPath(meetingId) ? lookForLink(invitee, meetingId) : undefined
}
