import { type Draft, type Drafts, hasSeats, membersOf } from './draft.js'
import type { Fact, FactKind, PersonTarget } from './fact.js'
import { isActive } from './status.js'

/**
 * The bookings that a fact is about, as far as the facts before it tell. Those that it makes are among them; none where it is
 * about somebody of whom nothing is known yet.
 */
export function resolveTarget(drafts: Drafts, { kind, target }: Fact): string[] {
  switch (target.kind) {
    case 'booking':
      return [target.id]
    case 'person':
      return resolvePerson(drafts, kind, target)
    case 'meeting':
      return resolveMeeting(drafts, kind, target.meetingId)
  }
}

/**
 * The bookings that a fact replaces: all that the person (or meeting) has by then, but for those that the fact is about. A move
 * in place replaces none, unless it makes the booking.
 */
export function resolvePrevious(
  drafts: Drafts,
  { kind, previous }: Fact,
  targets: readonly string[],
): string[] {
  if (kind === 'moved' && targets.some(id => drafts.byId.get(id)?.status)) return []
  return replaced(drafts, previous).filter(id => !targets.includes(id))
}

function replaced(drafts: Drafts, previous: Fact['previous']): string[] {
  switch (previous?.kind) {
    case undefined:
      return []
    case 'booking':
      return [previous.id]
    case 'meeting':
      return ids(membersOf(drafts, previous.meetingId).filter(isActive))
    case 'person': {
      const named = believed(drafts, previous)
      if (named !== null) return [named]
      const known = bookingsOf(drafts, previous)
      const active = known.filter(isActive)
      if (active.length > 0) return ids(active)
      // A host asked for another time: the way out of that canceled booking is open.
      return ids(known.filter(draft => draft.cancellation?.rescheduleRequested).slice(-1))
    }
  }
}

function resolvePerson(drafts: Drafts, kind: FactKind, target: PersonTarget): string[] {
  const named = believed(drafts, target)
  if (named !== null) return [named]
  const known = bookingsOf(drafts, target)
  const active = known.filter(isActive)
  const newest = ids(known.slice(-1))
  switch (kind) {
    case 'requested':
    case 'created':
      if (active.length > 0) return ids(active.slice(-1))
      return target.newId === null ? newest : [target.newId]
    case 'moved':
      if (active.length > 0) return ids(active)
      return target.newId === null ? newest : [target.newId]
    case 'canceled':
    case 'rejected':
      return active.length > 0 ? ids(active) : newest
    default:
      return newest
  }
}

function resolveMeeting(drafts: Drafts, kind: FactKind, meetingId: string): string[] {
  const isMark = !changesStanding(kind)
  const members = membersOf(drafts, meetingId)
  const active = members.filter(isActive)
  if (active.length > 0) return ids(isMark ? members : active)
  if (members.length > 0) return ids(members)
  // Of a meeting of which nothing is known only the end leaves a row, under the meeting's own id: whoever was in it is out.
  const own = drafts.byId.get(meetingId)
  const isEnd = kind === 'canceled' || kind === 'rejected'
  return isEnd || own?.status || (own && isMark) ? [meetingId] : []
}

function changesStanding(kind: FactKind): boolean {
  return ['requested', 'created', 'moved', 'canceled', 'rejected'].includes(kind)
}

/** The booking that the provider names, unless the facts speak against it. */
function believed(drafts: Drafts, { meetingId, alias, named }: PersonTarget): string | null {
  if (named === null) return null
  if (named === meetingId) return hasSeats(drafts, meetingId) ? null : named
  const known = drafts.byId.get(named)
  return known && known.alias !== null && known.alias !== alias ? null : named
}

/** All that the person ever had in the meeting and did not move out of it, oldest first. */
function bookingsOf(drafts: Drafts, { meetingId, alias }: PersonTarget): Draft[] {
  return membersOf(drafts, meetingId).filter(draft => draft.alias === alias)
}

function ids(drafts: readonly Draft[]): string[] {
  return drafts.map(({ id }) => id)
}
