import { type Cancellation, type InterpretedFact, parseInstant } from '@booking-webhooks/core'
import { bookingDetails } from './booking.js'
import { cancellationOf, rejectionOf } from './cancellation.js'
import { isByAddress, organizerOf, resourcesOf } from './hosts.js'
import { occurredUs } from './occurred.js'
import type { CalcomPayload } from './payload.js'
import { paymentOf } from './payment.js'
import type { Named, Reach } from './reach.js'

export type Fact = InterpretedFact['fact']

/** Only these occupy or leave a place in somebody's calendar. */
const occupying = new Set<Fact['kind']>(['requested', 'created', 'moved', 'reassigned'])

/** Only these tell what it costs. */
const pricing = new Set<Fact['kind']>(['requested', 'created', 'moved', 'paid'])

/** What a delivery changes for one of those that it is about. `isAlone` where it is about nobody else. */
export function factOf(delivery: Named, reach: Reach, isAlone: boolean): Fact {
  const { payload } = delivery
  const { kind, target, previous, meetingId, person, noShow } = reach
  const cancellation = endOf(kind, payload)
  const resources = occupying.has(kind) ? resourcesOf(organizerOf(payload)) : null
  // What a meeting costs is one seat's price; a payment for it marks the booking where there are no seats.
  const isTold = kind === 'paid' || (pricing.has(kind) && target.kind !== 'meeting')
  const payment = isTold ? paymentOf(payload, kind === 'paid') : null
  return {
    kind,
    target,
    occurredUs: occurredUs(delivery),
    previous,
    ...(previous && {
      previousTimes: {
        startsUs: parseInstant(payload.rescheduleStartTime),
        endsUs: parseInstant(payload.rescheduleEndTime),
      },
    }),
    meetingId,
    startsUs: parseInstant(payload.startTime),
    endsUs: parseInstant(payload.endTime),
    resources,
    // Some versions leave the host's number out of an accept alone: the request before it has it.
    ...(kind === 'created' && resources !== null && isByAddress(resources) && { keepsResources: true }),
    alias: person?.alias ?? (target.kind === 'person' ? target.alias : null),
    noShow,
    cancellation: cancellation && {
      by: cancellation.by,
      rescheduleRequested: cancellation.rescheduleRequested,
    },
    details: {
      ...(noShow === null && { booking: bookingDetails(delivery, reach, isAlone) }),
      ...(payment && { payment }),
      ...(cancellation && { cancellationReason: cancellation.reason }),
    },
  }
}

function endOf(kind: Fact['kind'], payload: CalcomPayload): Cancellation | null {
  if (kind === 'canceled') return cancellationOf(payload)
  return kind === 'rejected' ? rejectionOf(payload) : null
}
