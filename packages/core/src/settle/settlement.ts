import type { BookingEvent } from '../event/event.js'
import type { RegisteredSubscriber } from '../inbox/registered-subscriber.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import type { Decision } from '../lifecycle/decision.js'
import type { Fact } from '../lifecycle/fact.js'
import { subjectsOf } from '../lifecycle/subject.js'
import { bookingEvent, child, type Source, tellLane, tellsFor } from './announce.js'
import type { Settlement } from './settle-transaction.js'

/** A decision as what is written. The event's own announcement is kept with it, also while it waits for its slots. */
export function settlement(
  row: StoredEvent,
  fact: Fact,
  decision: Decision,
  source: Source,
  subscribers: readonly RegisteredSubscriber[],
): Settlement {
  const own = decision.announcements.find(announcement => announcement.suffix === '')
  const further = decision.announcements.filter(announcement => announcement.suffix !== '')
  const children = further.map(announcement => child(announcement, source, 'accepted', decision.reason))
  const told: BookingEvent[] = [...(own ? [bookingEvent(own, source)] : []), ...children.map(one => one.told)]
  const first = further[0]
  const draft =
    decision.wait && first
      ? bookingEvent({ ...first, suffix: '', type: decision.wait.wanted, conflict: null }, source)
      : null
  return {
    event: {
      id: row.id,
      status: decision.wait ? 'waiting' : 'settled',
      outcome: decision.outcome,
      reason: decision.reason,
      type: decision.type,
      bookingId: decision.bookingId,
      meetingId: decision.meetingId,
      threadId: decision.threadId,
      occurredUs: fact.occurredUs,
      fact,
      told: own ? (told[0] ?? null) : draft,
    },
    children,
    subjects: subjectsOf(fact),
    decision,
    tells: told.flatMap(event => tellsFor(event, subscribers)),
    laneJoins: decision.joins.flatMap(({ older, younger }) =>
      subscribers.map(({ name }) => ({
        older: tellLane(name, row.provider, row.account, older),
        younger: tellLane(name, row.provider, row.account, younger),
      })),
    ),
  }
}
