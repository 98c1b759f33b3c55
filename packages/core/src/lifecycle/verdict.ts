import { isDeepStrictEqual } from 'node:util'
import type { BookingEventType } from '../event/event.js'
import type { Micros } from '../event/instant.js'
import type { FoldedBooking, Outcome, StoredBooking } from './decision.js'
import type { Fact } from './fact.js'
import { marksAsPaid } from './mark-draft.js'
import { slotKey, slotsWanted } from './slot.js'
import { isOver } from './status.js'

/** What a fact means for one of the bookings that it is about. */
export interface Verdict {
  outcome: Extract<Outcome, 'accepted' | 'unchanged' | 'stale' | 'refused' | 'superseded'>
  reason: string
}

/** A booking as stored and with the fact. */
export interface Change {
  fact: Fact
  /** Undefined where nothing was known of it. */
  was: FoldedBooking | undefined
  is: FoldedBooking
  told: StoredBooking['told']
  /** A later fact (by the order of facts) about the booking is known. */
  isOlder: boolean
}

/** Decides by the lifecycle, looking at nothing but this booking; slots and other bookings of its thread are not its matter. */
export function verdictOn(change: Change): Verdict {
  switch (change.fact.kind) {
    case 'requested':
    case 'created':
    case 'moved':
      return onStanding(change)
    case 'half':
      return {
        outcome: 'superseded',
        reason: 'This half of a reschedule does not know the new time. The other half tells it.',
      }
    case 'canceled':
    case 'rejected':
      return onEnd(change)
    case 'started':
    case 'ended':
      return onMeeting(change)
    default:
      return onMark(change)
  }
}

function onStanding({ fact, was, is, told, isOlder }: Change): Verdict {
  if (isOver(is))
    return { outcome: 'refused', reason: `${overAs(is)} A booking that is over does not come back.` }
  // An older fact may still give whom the booking occupies another name: that is no other host.
  const isSame = isOlder ? isSameAppointment : isSameStanding
  if (told !== 'none' && was && !fact.isNews && isSame(was, is)) return nothingNew(isOlder)
  return { outcome: 'accepted', reason: standingReason(fact, is, told) }
}

function onEnd({ fact, was, is }: Change): Verdict {
  if (is.status === 'rescheduled')
    return {
      outcome: 'superseded',
      reason: 'The booking was rescheduled: its end is told with the next one.',
    }
  if (was && isOver(was)) return { outcome: 'unchanged', reason: 'The booking was over already.' }
  if (fact.isRest && !was?.status)
    return { outcome: 'unchanged', reason: 'Nobody else of the meeting is known here.' }
  return { outcome: 'accepted', reason: `The booking was ${fact.kind}.` }
}

function onMeeting({ fact, is }: Change): Verdict {
  if (isOver(is)) return { outcome: 'refused', reason: `${overAs(is)} It cannot take place.` }
  if (is.status !== null && (differs(fact.startsUs, is.startsUs) || differs(fact.endsUs, is.endsUs)))
    return { outcome: 'stale', reason: 'It is of another time than the booking has now.' }
  return { outcome: 'accepted', reason: `The meeting ${fact.kind}.` }
}

/** Both are known, and are not the same time. */
function differs(a: Micros | null, b: Micros | null): boolean {
  return a !== null && b !== null && a !== b
}

function onMark({ fact, was, is, isOlder }: Change): Verdict {
  const marksNothing = fact.kind === 'paid' && !marksAsPaid(fact, is.id)
  if (was && !fact.isNews && !marksNothing && isSameFacet(fact.kind, was, is)) return nothingNew(isOlder)
  if (fact.wasThere && !was?.status)
    return { outcome: 'accepted', reason: 'The booking was there before anything was heard of it.' }
  const isKnown = is.status !== null
  return {
    outcome: 'accepted',
    reason: isKnown ? markReasons[markOf(fact)] : 'It tells of a booking that is not known here.',
  }
}

/** What a mark is told as: a no-show taken back is no no-show. */
export function markTypeOf(fact: Fact, was: FoldedBooking | undefined, is: FoldedBooking): BookingEventType {
  if (fact.kind === 'reassigned')
    return was && is.status === 'confirmed' && !isSameSlots(was, is)
      ? 'booking.rescheduled'
      : 'booking.updated'
  if (fact.kind === 'moved' || (fact.kind === 'no_show' && fact.noShow === false)) return 'booking.updated'
  return `booking.${fact.kind as 'updated' | 'paid' | 'no_show' | 'started' | 'ended'}`
}

/** Same status, time, meeting and resources. */
export function isSameStanding(a: FoldedBooking, b: FoldedBooking): boolean {
  return isSameAppointment(a, b) && isDeepStrictEqual(a.resources, b.resources)
}

function isSameAppointment(a: FoldedBooking, b: FoldedBooking): boolean {
  return (
    a.status === b.status && a.startsUs === b.startsUs && a.endsUs === b.endsUs && a.meetingId === b.meetingId
  )
}

/** Compares only what facts of the kind speak of: other parts may differ because another fact found its booking through this one. */
function isSameFacet(kind: Fact['kind'], a: FoldedBooking, b: FoldedBooking): boolean {
  const facet = (one: FoldedBooking): unknown[] => {
    switch (kind) {
      case 'reassigned':
        return [one.resources, one.details]
      case 'paid':
        return [one.payment, one.details]
      case 'no_show':
        return [one.noShow, one.details]
      default:
        return [one.noShow, one.payment, one.details, one.endsUs]
    }
  }
  return isDeepStrictEqual(facet(a), facet(b))
}

function isSameSlots(a: FoldedBooking, b: FoldedBooking): boolean {
  return isDeepStrictEqual(slotsWanted(a).map(slotKey), slotsWanted(b).map(slotKey))
}

function nothingNew(isOlder: boolean): Verdict {
  return isOlder
    ? { outcome: 'stale', reason: 'Something newer is known of the booking.' }
    : { outcome: 'unchanged', reason: 'The booking is the same with it.' }
}

function overAs({ status }: FoldedBooking): string {
  return `The booking was ${status}.`
}

function standingReason({ kind, previous }: Fact, is: FoldedBooking, told: StoredBooking['told']): string {
  if (kind === 'moved' || (previous !== null && told === 'none')) return 'The booking was rescheduled.'
  return is.status === 'requested' ? 'The booking was requested.' : 'The booking was made.'
}

function markOf({ kind, noShow }: Fact): keyof typeof markReasons {
  if (kind === 'no_show' && noShow === false) return 'came'
  return kind in markReasons ? (kind as keyof typeof markReasons) : 'updated'
}

const markReasons = {
  updated: 'The booking was changed.',
  reassigned: 'The booking was given to another host.',
  paid: 'The booking was paid.',
  no_show: 'The attendee did not come.',
  came: 'The no-show was taken back.',
}
