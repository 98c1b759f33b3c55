import type { BookingEventType, Cancellation, Conflict, Previous } from '../event/event.js'
import { formatInstantOrNull } from '../event/instant.js'
import type { Rows } from './booking-rows.js'
import type { Announcement, StoredBooking } from './decision.js'
import type { Fact } from './fact.js'
import { renderBooking } from './render-booking.js'
import { isOver } from './status.js'

/** What is told because of one fact, and what subscribers then were told of. */
export interface Tellings {
  announcements: Announcement[]
  /** Threads whose lanes have to be told one before the other. */
  joins: { older: string; younger: string }[]
  tell(telling: Telling): void
}

export interface Telling {
  type: BookingEventType
  /** The booking's row. */
  booking: StoredBooking
  /** The booking whose end this tells (or the one itself, which was elsewhere before); null where there is none. */
  previousId?: string | null
  conflict?: Conflict
  /** True where the booking's standing is told, though the type does not say so. */
  isStanding?: boolean
  /** What makes the key of a further event. Left out: the event itself. */
  suffix?: string
}

/** Collects what is told, and keeps `told` and `toldAs` of the rows in step with it. */
export function tellings(rows: Rows, fact: Pick<Fact, 'previousTimes'>): Tellings {
  const announcements: Announcement[] = []
  const joins: Tellings['joins'] = []
  return {
    announcements,
    joins,
    tell({ type, booking, previousId = null, conflict, isStanding = standing.includes(type), suffix = '' }) {
      const previous = previousId === null ? undefined : rows.get(previousId)
      announcements.push({
        suffix,
        type,
        booking: renderBooking(booking),
        previous: previousId === null ? null : previousAsTold(previousId, previous, booking, fact),
        previousThreadId: formerThread(booking, previous),
        cancellation: cancellationTold(type, booking, previous),
        conflict: conflict ?? null,
      })
      if (previous && previous !== booking) {
        if (previous.threadId !== booking.threadId)
          joins.push({ older: booking.threadId, younger: previous.threadId })
        // Should facts make it after all, what is then told of it goes after this.
        if (previous.status === null) previous.threadId = booking.threadId
        previous.told = 'ended'
      }
      rememberTold(type, booking, isStanding)
    },
  }
}

/** Types that tell of a booking's standing: whoever hears one is told of the booking's end too. */
const standing: readonly BookingEventType[] = [
  'booking.requested',
  'booking.created',
  'booking.rescheduled',
  'booking.conflict',
]

function rememberTold(type: BookingEventType, booking: StoredBooking, isStanding: boolean): void {
  if (type === 'booking.canceled' || type === 'booking.rejected') booking.told = 'ended'
  else if (isStanding && !isOver(booking)) booking.told = 'open'
  const { startsUs, endsUs, details, threadId, toldAs } = booking
  // While it waits, what counts as told is the time that it had: it never got the new one.
  const isKept = booking.waits && toldAs !== null && toldAs.startsUs !== null
  booking.toldAs = isKept ? { ...toldAs, threadId } : { startsUs, endsUs, hosts: details.hosts, threadId }
}

function previousAsTold(
  bookingId: string,
  previous: StoredBooking | undefined,
  booking: StoredBooking,
  { previousTimes }: Pick<Fact, 'previousTimes'>,
): Previous {
  const told = previous?.toldAs ?? null
  const known = told?.startsUs != null || previous === booking ? told : asFolded(previous)
  const { startsUs, endsUs } = (known?.startsUs != null ? known : previousTimes) ?? nowhere
  return {
    bookingId,
    startsAt: formatInstantOrNull(startsUs),
    endsAt: formatInstantOrNull(endsUs),
    hosts: known?.hosts ?? [],
  }
}

const nowhere = { startsUs: null, endsUs: null }

function asFolded(booking: StoredBooking | undefined) {
  if (!booking || booking.startsUs === null) return null
  return { startsUs: booking.startsUs, endsUs: booking.endsUs, hosts: booking.details.hosts }
}

/** The name under which subscribers heard of the thread before an older booking of it became known. */
function formerThread(booking: StoredBooking, previous: StoredBooking | undefined): string | null {
  const told = [booking, previous].map(one => one?.toldAs?.threadId)
  return told.find(name => name !== undefined && name !== booking.threadId) ?? null
}

function cancellationTold(
  type: BookingEventType,
  booking: StoredBooking,
  previous: StoredBooking | undefined,
): Cancellation | null {
  if (type === 'booking.canceled' || type === 'booking.rejected') return booking.cancellation ?? unknownEnd
  return previous && previous !== booking ? previous.cancellation : null
}

const unknownEnd: Cancellation = { by: 'unknown', reason: null, rescheduleRequested: false }
