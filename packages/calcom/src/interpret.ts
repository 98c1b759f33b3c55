import {
  type InterpretContext,
  type Interpreted,
  type InterpretedFact,
  objectOrNull,
  type Snapshot,
  type StoredBooking,
  type StoredReading,
} from '@booking-webhooks/core'
import { completed } from './api-booking.js'
import type { Answers } from './ask.js'
import type { Delivery } from './delivery.js'
import { foundBy } from './found.js'
import { type BookingHappening, contentOf } from './happening.js'
import { type Look, lookFor, lookIn } from './look.js'
import { missingIn } from './missing.js'

/** Knows whether there is an API to look at again. */
export interface Interpreting {
  hasApi: boolean
}

/** A stored reading, and what was asked about it, as events. Pure, and never throws. */
export function interpret(
  reading: StoredReading,
  snapshot: Snapshot | null,
  booking: StoredBooking | null,
  { hash }: InterpretContext,
  { hasApi }: Interpreting,
): Interpreted[] {
  const key = reading.dedupeKey
  const answers = objectOrNull<Answers>(snapshot)
  if (reading.isLook) return looked(reading, answers, hash)
  const content = contentOf(reading.body, hash)
  if ('problem' in content) {
    const { problem, uid } = content
    const look: Look | null =
      uid === undefined ? null : { at: 'meeting', uid, change: 'canceled', occurredUs: reading.receivedUs }
    return [{ key, unreadable: problem, ...(hasApi && look && { look: lookFor(look) }) }]
  }
  const { delivery } = content
  const happening = content.happenings[reading.index]
  if (!happening) return [{ key, unreadable: 'the body no longer tells this' }]
  if (happening.of === 'other') {
    const { type, occurredUs } = happening
    return [{ key, type, occurredUs, raw: delivery.raw }]
  }
  const fact = answers?.booking ? completed(happening.fact, answers.booking) : happening.fact
  const look = hasApi ? lookAfter(happening, delivery, answers, booking, reading) : null
  return [{ key, fact, raw: delivery.raw, ...(look && { look: lookFor(look) }) }]
}

function looked(
  reading: StoredReading,
  answers: Answers | null,
  hash: (text: string) => string,
): Interpreted[] {
  const key = reading.dedupeKey
  const look = lookIn(reading.body)
  if (!look) return [{ key, unreadable: 'it is no question that can be asked' }]
  if (!answers) return [{ key, unchanged: 'Cal.com was not asked, or did not answer.' }]
  const found: InterpretedFact[] = foundBy(look, answers, hash)
  return found.length > 0 ? found : [{ key, unchanged: 'Cal.com knows of nothing more.' }]
}

/** What the body leaves open for others than those it names. */
function lookAfter(
  happening: BookingHappening,
  delivery: Delivery,
  answers: Answers | null,
  booking: StoredBooking | null,
  reading: StoredReading,
): Look | null {
  const { uid, reach, fact } = happening
  const at = (place: Look['at'], whose: string): Look => ({
    at: place,
    uid: whose,
    change: reach.kind,
    occurredUs: fact.occurredUs ?? reading.receivedUs,
  })
  if (meansSeries(happening, delivery, booking)) return at('series', uid)
  if (reach.isPartial) return at('rest', reach.target.kind === 'person' ? reach.target.meetingId : uid)
  return missingIn(happening, delivery) === 'link' && !answers ? at('link', uid) : null
}

/** On a create the same field means one of several: only an accepted request stands for them all. */
function meansSeries(
  { reach: { kind } }: BookingHappening,
  { payload }: Delivery,
  booking: StoredBooking | null,
): boolean {
  if (!payload.recurringEvent) return false
  if (kind === 'canceled' || kind === 'rejected') return true
  return kind === 'created' && (booking?.status === 'requested' || payload.requiresConfirmation === true)
}
