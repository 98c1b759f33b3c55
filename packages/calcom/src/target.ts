import { hashParts, idOrNull, type PersonTarget, type Target } from '@booking-webhooks/core'
import type { Named } from './reach.js'
import { seatBooking } from './seating.js'

export function bookingTarget(id: string): Target {
  return { kind: 'booking', id }
}

export function meetingTarget(meetingId: string): Target {
  return { kind: 'meeting', meetingId }
}

/** One person's booking in a meeting: the one that is named, if any, else whatever the person has there. */
export function personTarget(
  meetingId: string,
  alias: string,
  named: string | null,
  newId: string | null = null,
): PersonTarget {
  return { kind: 'person', meetingId, alias, named, newId }
}

/** The seat that a person leaves. Uids are short: what looks like a seat's id (a UUID) in place of one is taken for that. */
export function seatLeft(uid: string, alias: string): Target {
  const seat = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uid) ? seatBooking(uid) : null
  return seat === null ? personTarget(uid, alias, null) : bookingTarget(seat)
}

/**
 * Names a person's booking where Cal.com does not. A person may leave and come back, so the time is part of it: to the second,
 * as two webhooks send one event some milliseconds apart, and either may arrive first.
 */
export function newIdFor({ uid, createdUs, bodyHash }: Named, alias: string): string {
  const since = createdUs === null ? bodyHash.slice(0, 16) : Math.floor(createdUs / 1_000_000) * 1000
  return idOrNull(`${uid}~${alias}@${since}`) ?? `${hashParts(uid).slice(0, 32)}~${alias}@${since}`
}
