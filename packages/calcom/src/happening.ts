import type { EventType, Micros } from '@booking-webhooks/core'
import { otherKey, reachKey } from './dedupe-key.js'
import { type Delivery, deliveryOf, type Senseless } from './delivery.js'
import { type Fact, factOf } from './fact.js'
import { occurredUs } from './occurred.js'
import type { Hash } from './person.js'
import type { Reach } from './reach.js'
import { reachesOf } from './reaches-of.js'
import { triggerNamed, typeOf } from './trigger.js'

/** One thing that a body tells. */
export type Happening = BookingHappening | OtherHappening

export interface BookingHappening {
  of: 'booking'
  dedupeKey: string
  /** The meeting's uid: the settle lane. */
  uid: string
  type: EventType
  reach: Reach
  fact: Fact
}

/** Of no booking, or nothing that the lifecycle knows: told under the trigger's own name. */
export interface OtherHappening {
  of: 'other'
  dedupeKey: string
  uid: string | null
  type: `provider.${string}`
  occurredUs: Micros | null
}

/** What a signed body holds: happenings (1..n), or the reason why it makes no sense. */
export type Content = { delivery: Delivery; happenings: Happening[] } | Senseless

/** Never throws, whatever the bytes. */
export function contentOf(body: Uint8Array, hash: Hash): Content {
  const delivery = deliveryOf(body)
  return 'problem' in delivery ? delivery : happeningsOf(delivery, hash)
}

/** As `contentOf`, for a body that is read already. */
export function happeningsOf(delivery: Delivery, hash: Hash): Content {
  const { trigger, uid } = delivery
  const change = triggerNamed(trigger)
  if (!change) {
    const other = { dedupeKey: otherKey(delivery), uid, occurredUs: occurredUs(delivery) }
    return { delivery, happenings: [{ of: 'other', type: `provider.${trigger}`, ...other }] }
  }
  if (uid === null) return { trigger, problem: 'the body names no booking (payload.uid)' }
  const named = { ...delivery, uid }
  const reaches = reachesOf(named, change, hash)
  if ('problem' in reaches)
    return { trigger, problem: reaches.problem, ...(change.kind === 'canceled' && { uid }) }
  const happenings = reaches.map(
    (reach): BookingHappening => ({
      of: 'booking',
      dedupeKey: reachKey(named, change, reach),
      uid,
      type: typeOf(reach.kind, reach.previous !== null),
      reach,
      fact: factOf(named, reach, reaches.length === 1),
    }),
  )
  return { delivery, happenings }
}
