import {
  type Announcement,
  type Booking,
  compareFacts,
  type Fact,
  formatInstant,
} from '@booking-webhooks/core'
import type { Engine, Told } from './engine.js'

const standing = ['booking.created', 'booking.requested', 'booking.rescheduled', 'booking.conflict']
const ends = ['booking.canceled', 'booking.rejected']
const over = ['canceled', 'rejected', 'rescheduled']
/** Whose times are those that were known as it happened, and move nothing. */
const repeatsTimes = ['paid', 'no_show', 'started', 'ended']
const stages: Record<string, number> = {
  requested: 1,
  conflict: 2,
  confirmed: 2,
  canceled: 3,
  rejected: 3,
  rescheduled: 4,
}

/**
 * Looks at each event as it is settled, with nothing but what was told before, and complains where it goes against the lifecycle,
 * or back in time within a facet.
 */
export function watchTells(complain: (problem: string) => void): (told: Told, engine: Engine) => void {
  const ids = new Set<string>()
  const ended = new Set<string>()
  const last = new Map<string, Announcement>()
  const timesTold = new Map<string, Booking>()
  const timesFrom = new Map<string, { source: Fact; meetingId: string | null }>()
  const marks = new Map<string, Fact>()

  return ({ id, fact, announcement }, engine) => {
    const { type, booking, previous, conflict, cancellation } = announcement
    const complainOf = (problem: string) => complain(`${id} (${type} ${booking.id}): ${problem}`)
    if (ids.has(id)) complainOf('an id is used twice')
    ids.add(id)
    // Where nobody in a meeting is known by then, its name stands for whoever it was.
    if (!engine.bookings.get(booking.id)?.status) return checkShape()
    // It had left the meeting that ended, or where its person had another booking, before that happened: nobody knew then.
    const hadLeft = ended.has(booking.id) && last.get(booking.id)?.booking.meetingId !== booking.meetingId
    if (hadLeft) ended.delete(booking.id)
    checkShape()
    checkEnds()
    checkLifecycle()
    checkThread()
    checkFacets()
    last.set(booking.id, announcement)
    // A booking that waits never got its new time: what it had before is what was last told.
    if (booking.startsAt !== null && (booking.status !== 'conflict' || !timesTold.has(booking.id)))
      timesTold.set(booking.id, booking)

    function checkShape(): void {
      if ((type === 'booking.conflict') !== (conflict !== null)) complainOf('conflict without conflict')
      // A slot that was freed a moment ago is nobody's, until those who wait are looked at.
      if (conflict && conflict.with.length === 0 && engine.woken.size === 0)
        complainOf('a conflict with nobody')
      if (type === 'booking.canceled' && !cancellation) complainOf('canceled without a cancellation')
      if (type === 'booking.rescheduled' && !previous) complainOf('rescheduled without previous')
      if (standing.includes(type) && !over.includes(booking.status ?? '') && booking.startsAt === null)
        complainOf('told without times')
      if ((type === 'booking.conflict') !== (booking.status === 'conflict') && standing.includes(type))
        complainOf(`shown as ${booking.status}`)
    }

    function checkEnds(): void {
      if (ends.includes(type)) {
        if (ended.has(booking.id)) complainOf('its end is told twice')
        ended.add(booking.id)
      }
      if (!previous) return
      if (previous.bookingId !== booking.id) ended.add(previous.bookingId)
      const told = timesTold.get(previous.bookingId)
      if (told && (told.startsAt !== previous.startsAt || told.endsAt !== previous.endsAt))
        complainOf('previous is not as last told')
    }

    function checkLifecycle(): void {
      const before = hadLeft ? null : last.get(booking.id)?.booking.status
      const from = before ? stages[before]! : 0
      if (from > (booking.status ? stages[booking.status]! : 0))
        complainOf(`from ${before} to ${booking.status}`)
    }

    function checkThread(): void {
      if (!standing.includes(type) || over.includes(booking.status ?? '')) return
      for (let next = engine.bookings.get(booking.id)?.nextId; next; next = engine.bookings.get(next)?.nextId)
        if (last.has(next)) complainOf(`told as standing after ${next}, which replaced it`)
    }

    function checkFacets(): void {
      const source = [...engine.facts.values()]
        .sort(compareFacts)
        .findLast(
          one =>
            one.endsUs !== null &&
            !repeatsTimes.includes(one.kind) &&
            one.meetingId === booking.meetingId &&
            booking.endsAt === formatInstant(one.endsUs),
        )
      const before = timesFrom.get(booking.id)
      if (source && !over.includes(booking.status ?? '')) {
        // It was not in the meeting whose later time it was told with: nobody knew then.
        const wasThere = before?.meetingId === booking.meetingId
        if (before && wasThere && compareFacts(source, before.source) < 0) complainOf('its times go back')
        timesFrom.set(booking.id, { source, meetingId: booking.meetingId })
      }
      if (!['updated', 'paid', 'no_show'].includes(fact.kind)) return
      const facet = `${fact.noShow === null ? fact.kind : 'no-show'} of ${booking.id}`
      const earlier = marks.get(facet)
      if (earlier && compareFacts(fact, earlier) < 0) complainOf(`after the later ${earlier.key}`)
      marks.set(facet, fact)
    }
  }
}
