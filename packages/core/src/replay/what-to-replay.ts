import type { NewTell } from '../inbox/new-tell.js'
import type { RegisteredSubscriber } from '../inbox/registered-subscriber.js'
import { renderBooking } from '../lifecycle/render-booking.js'
import { takesType, tellLane } from '../settle/announce.js'
import { isOvertaken } from './overtaken.js'
import type { ReplayCandidate, ReplayRequest } from './replay-store.js'

/** What a replay does about one event. */
export type Redo =
  | { is: 'told'; tells: NewTell[] }
  | { is: 'decided'; wasSettled: boolean }
  | { is: 'overtaken' }
  | { is: 'leftOut' }

/**
 * Accepted events are told again, unless they are overtaken. What was never settled (unreadable, ignored, a dead fetch) is decided as
 * if it came now; what was decided against is decided again.
 */
export function whatToReplay(
  candidate: ReplayCandidate,
  request: ReplayRequest,
  subscribers: readonly RegisteredSubscriber[],
): Redo {
  const { status, outcome, told, booking, hasFact } = candidate
  if (status === 'dead') return { is: 'decided', wasSettled: false }
  if (status !== 'settled') return { is: 'leftOut' }
  switch (outcome) {
    case 'accepted': {
      if (told === null) return { is: 'leftOut' }
      const tells = tellsFor(candidate, request, subscribers)
      if (tells.length === 0) return { is: 'leftOut' }
      const now = booking && renderBooking(booking)
      return !request.overtaken && isOvertaken(told, now) ? { is: 'overtaken' } : { is: 'told', tells }
    }
    case 'unreadable':
    case 'ignored':
      return { is: 'decided', wasSettled: false }
    case 'refused':
    case 'stale':
    case 'superseded':
    case 'unchanged':
      return hasFact ? { is: 'decided', wasSettled: true } : { is: 'leftOut' }
    default:
      // A conflict was told by an event of its own; what waits is told once its slot is free.
      return { is: 'leftOut' }
  }
}

function tellsFor(
  { eventId, told, booking, tells }: ReplayCandidate,
  { filter, subscriber }: ReplayRequest,
  subscribers: readonly RegisteredSubscriber[],
): NewTell[] {
  if (told === null) return []
  const wanted = subscriber ?? filter.subscriber
  const threadId = booking?.threadId ?? told.booking?.threadId ?? eventId
  return subscribers
    .filter(({ name, takes }) => (wanted === undefined || name === wanted) && takesType(takes, told.type))
    .filter(({ name }) => {
      const tell = tells.find(one => one.subscriber === name)
      if (tell?.isFirstPending) return false
      // A dead letter of one subscriber is no reason to tell the others again.
      return filter.status !== 'dead' || tell?.status === 'dead'
    })
    .map(({ name }) => ({
      eventId,
      subscriber: name,
      lane: tellLane(name, told.provider, told.account, threadId),
    }))
}
