import {
  type Cancellation,
  type InterpretedFact,
  type Location,
  objectOrNull,
  parseInstant,
  textOrNull,
} from '@booking-webhooks/core'
import { bookingDetails, hostsOf, paymentOf } from './booking.js'
import type { InviteeHappening } from './happening.js'
import type { CalendlyCancellation, CalendlyPayload, CalendlyScheduledEvent } from './payload.js'
import { meetingOf } from './resource-uri.js'

type Fact = InterpretedFact['fact']

/** What an invitee's happening changes. `fetched` is the meeting where the payload is too old to hold it. */
export function factOf(happening: InviteeHappening, fetched: CalendlyScheduledEvent | null): Fact {
  const meeting = objectOrNull<CalendlyScheduledEvent>(happening.payload.scheduled_event) ?? fetched
  switch (happening.event) {
    case 'invitee.created':
      return { ...wholeBooking('created', happening, meeting), previous: target(happening.oldInvitee) }
    case 'invitee.canceled':
      return happening.newInvitee === null
        ? canceled(happening, meeting)
        : half(happening, happening.newInvitee, meeting)
    case 'invitee_no_show.created':
      return { ...wholeBooking('no_show', happening, meeting), noShow: true }
    case 'invitee_no_show.deleted':
      return { ...wholeBooking('no_show', happening, meeting), noShow: false }
  }
}

function wholeBooking(
  kind: Fact['kind'],
  { invitee, meetingId, occurredUs, payload }: InviteeHappening,
  meeting: CalendlyScheduledEvent | null,
): Fact {
  return {
    kind,
    target: { kind: 'booking', id: invitee },
    occurredUs,
    previous: null,
    meetingId,
    startsUs: parseInstant(meeting?.start_time),
    endsUs: parseInstant(meeting?.end_time),
    resources: meeting && hostsOf(meeting).flatMap(host => host.id ?? []),
    alias: null,
    noShow: payload.no_show === undefined ? null : payload.no_show !== null,
    cancellation: null,
    details: { booking: bookingDetails(payload, meeting), payment: paymentOf(payload) },
  }
}

function canceled(happening: InviteeHappening, meeting: CalendlyScheduledEvent | null): Fact {
  const whole = wholeBooking('canceled', happening, meeting)
  const { by, rescheduleRequested, reason } = cancellationOf(happening.payload)
  return {
    ...whole,
    previous: target(happening.oldInvitee),
    cancellation: { by, rescheduleRequested },
    details: { ...whole.details, cancellationReason: reason },
  }
}

/** The canceled half of a reschedule: of the new invitee it knows no more than the name; what it says, it says of the old one. */
function half(happening: InviteeHappening, newInvitee: string, meeting: CalendlyScheduledEvent | null): Fact {
  const old = canceled(happening, meeting)
  return {
    ...old,
    kind: 'half',
    target: { kind: 'booking', id: newInvitee },
    previous: old.target,
    previousTimes: { startsUs: old.startsUs, endsUs: old.endsUs },
    meetingId: meetingOf(newInvitee),
    startsUs: null,
    endsUs: null,
    resources: null,
  }
}

/** A link that came after the booking was told. Calendly gives it no time of its own. */
export function linkFact(invitee: string, location: Location): Fact {
  return {
    kind: 'updated',
    target: { kind: 'booking', id: invitee },
    occurredUs: null,
    previous: null,
    meetingId: null,
    startsUs: null,
    endsUs: null,
    resources: null,
    alias: null,
    noShow: null,
    cancellation: null,
    details: { booking: { location } },
  }
}

function cancellationOf(payload: CalendlyPayload): Cancellation {
  const cancellation = objectOrNull<CalendlyCancellation>(payload.cancellation)
  return {
    by: cancelerOf(cancellation?.canceler_type),
    reason: textOrNull(cancellation?.reason),
    // The one sign of a host's request that Calendly has.
    rescheduleRequested: payload.rescheduled === true && textOrNull(payload.new_invitee) === null,
  }
}

function cancelerOf(type: CalendlyCancellation['canceler_type']): Cancellation['by'] {
  if (type === 'host') return 'host'
  return type === 'invitee' ? 'attendee' : 'unknown'
}

function target(invitee: string | null): Fact['previous'] {
  return invitee === null ? null : { kind: 'booking', id: invitee }
}
