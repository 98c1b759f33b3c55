import {
  type Adapter,
  type Interpreted,
  type Micros,
  numberOrNull,
  objectOrNull,
  type StoredBooking,
  type StoredReading,
} from '@booking-webhooks/core'
import { factOf, linkFact } from './fact.js'
import { contentOf, type Happening, happeningsOf, type InviteeHappening } from './happening.js'
import { isLinkComing, locationOf } from './location.js'
import {
  lookForAttendees,
  lookForCreatedHalf,
  lookForLink,
  missedCancels,
  missedDeliveries,
  subjectOf,
} from './look.js'
import type {
  CalendlyEnvelope,
  CalendlyPayload,
  CalendlyScheduledEvent,
  CalendlySnapshot,
} from './payload.js'
import { apiPath } from './resource-uri.js'

export interface InterpretOptions {
  /** How long the other half of a reschedule, or the other cancels of a meeting, are waited for, in milliseconds. */
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
  return (reading, snapshot, booking, { connectedUs }) => {
    const fetched = objectOrNull<CalendlySnapshot>(snapshot)
    if (reading.isLook) return interpretLook(reading, fetched, connectedUs, options)
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
  connectedUs: Micros,
  options: InterpretOptions,
): Interpreted[] {
  const key = look.dedupeKey
  const subject = subjectOf(look)
  if (!subject) return [{ key, unreadable: 'the look has no subject' }]
  if (subject.for === 'link') return [interpretLink(look, subject.invitee, fetched)]
  const isHalf = subject.for === 'half'
  const missed = isHalf ? missedDeliveries(subject.invitee, fetched) : missedCancels(subject.meeting, fetched)
  const found = missed.flatMap((raw): Interpreted[] => {
    const happenings = happeningsOf(raw, () => key)
    if ('problem' in happenings) return [{ key, unreadable: happenings.problem }]
    return happenings
      .filter(one => isHalf || one.occurredUs === null || one.occurredUs >= connectedUs)
      .flatMap(one =>
        interpreted(one, raw, { meeting: null, booking: null }, options).map(event =>
          'fact' in event ? { ...event, providerType: one.event } : event,
        ),
      )
  })
  if (found.length > 0) return found
  return [{ key, unchanged: `Calendly did not tell of ${isHalf ? 'the other half' : 'another cancel'}.` }]
}

function interpretLink(
  { dedupeKey: key }: StoredReading,
  invitee: string,
  fetched: CalendlySnapshot | null,
): Interpreted {
  const meeting = objectOrNull<CalendlyScheduledEvent>(fetched?.scheduled_event)
  const location = locationOf(meeting?.location)
  if (objectOrNull<CalendlyPayload>(fetched?.invitee)?.status === 'canceled')
    return { key, unchanged: 'The booking is over by now, and needs no link.' }
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
  { hasApi, missingHalfMs }: InterpretOptions,
) {
  const known = objectOrNull<CalendlyScheduledEvent>(payload.scheduled_event) ?? meeting
  if (!hasApi || !known || apiPath(meetingId) === null) return undefined
  if (event === 'invitee.canceled' && known.status === 'canceled' && isShared(known))
    return lookForAttendees(meetingId, missingHalfMs)
  const isStanding = event === 'invitee.created' && payload.status !== 'canceled'
  return isStanding && isLinkComing(known) && apiPath(invitee) ? lookForLink(invitee, meetingId) : undefined
}

/** Whether others may have been in the meeting; a payload that does not count them counts for yes. */
function isShared({ invitees_counter: counter }: CalendlyScheduledEvent): boolean {
  return (numberOrNull(counter?.limit) ?? 2) > 1 && (numberOrNull(counter?.total) ?? 2) > 1
}
