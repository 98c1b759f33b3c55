import {
  type BookingEvent,
  type ClaimedLane,
  type Fact,
  noDetails,
  type Settlement,
  type SettleTransaction,
  type Store,
  type StoredBooking,
  type StoredEvent,
} from '@booking-webhooks/core'
import { newEvent, nineUs, recordAndClaim, tellLane } from './events.js'

/** A fact that makes a booking, with what a test changes of it. */
export function newFact(booking: string, change: Partial<Fact> = {}): Fact {
  return {
    key: `fact of ${booking}`,
    kind: 'created',
    target: { kind: 'booking', id: booking },
    occurredUs: nineUs,
    previous: null,
    meetingId: null,
    startsUs: null,
    endsUs: null,
    resources: null,
    alias: null,
    noShow: null,
    cancellation: null,
    details: null,
    ...change,
  }
}

/** A confirmed booking, with what a test changes of it. */
export function newBooking(id: string, change: Partial<StoredBooking> = {}): StoredBooking {
  return {
    id,
    threadId: id,
    previousId: null,
    nextId: null,
    meetingId: `meeting of ${id}`,
    status: 'confirmed',
    startsUs: nineUs,
    endsUs: nineUs + 1_800_000_000,
    resources: ['example/default/host'],
    alias: null,
    noShow: false,
    payment: null,
    details: {
      ...noDetails(),
      title: 'A talk',
      timeZone: 'Europe/Paris',
      attendee: { name: 'Ada Example', email: 'ada@example.com', phone: null, timeZone: null },
    },
    cancellation: null,
    lastOccurredUs: nineUs,
    told: 'open',
    toldAs: null,
    waits: false,
    snapshot: null,
    updatedUs: nineUs,
    ...change,
  }
}

/** An event as told. Only what stores look at is there. */
export function toldEvent(event: StoredEvent, booking: StoredBooking | null = null): BookingEvent {
  return {
    id: event.id,
    provider: event.provider,
    account: event.account,
    type: event.type,
    booking: booking && { id: booking.id },
    raw: { key: event.dedupeKey },
  } as unknown as BookingEvent
}

export interface Wanted {
  outcome?: Settlement['event']['outcome']
  status?: Settlement['event']['status']
  fact?: Fact | null
  booking?: StoredBooking | null
  decision?: Settlement['decision']
  children?: Settlement['children']
  /** The subscribers to be told. */
  tells?: string[]
  /** The thread whose tell lanes they go to. Default: the event's booking. */
  thread?: string
  laneJoins?: Settlement['laneJoins']
}

/** A settlement of one event: accepted, no slots, unless a test says otherwise. */
export function settlementOf(event: StoredEvent, wanted: Wanted = {}): Settlement {
  const { booking = null, fact = null, tells = [] } = wanted
  const thread = wanted.thread ?? booking?.threadId ?? event.bookingId ?? ''
  return {
    event: {
      id: event.id,
      status: wanted.status ?? 'settled',
      outcome: wanted.outcome ?? 'accepted',
      reason: 'As the test says.',
      type: event.type,
      bookingId: event.bookingId,
      meetingId: booking?.meetingId ?? null,
      threadId: thread,
      occurredUs: event.occurredUs,
      fact,
      told: toldEvent(event, booking),
    },
    children: wanted.children ?? [],
    subjects: [],
    decision: wanted.decision ?? {
      bookings: booking ? [booking] : [],
      free: [],
      take: [],
      wait: null,
      noLongerWaiting: [],
    },
    tells: tells.map(subscriber => ({ eventId: event.id, subscriber, lane: tellLane(subscriber, thread) })),
    laneJoins: wanted.laneJoins ?? [],
  }
}

/** Settles one event of a claimed lane as wanted. */
export function settleOne(
  store: Store,
  lane: ClaimedLane,
  eventId: string,
  wanted: Wanted | ((event: StoredEvent, transaction: SettleTransaction) => Promise<Wanted>) = {},
): Promise<void> {
  return store.settle(lane, async transaction => {
    const event = await transaction.event(eventId)
    if (!event) throw new Error(`${eventId} is not there`)
    const chosen = typeof wanted === 'function' ? await wanted(event, transaction) : wanted
    await transaction.write(settlementOf(event, chosen))
  })
}

/** Records an event, settles it and lets its lane go: what is left are its tells. */
export async function tellOf(
  store: Store,
  key: string,
  subscribers: string[],
  wanted: Wanted & { booking?: StoredBooking | null } = {},
): Promise<StoredEvent> {
  const event = newEvent(key)
  const { lane, stored } = await recordAndClaim(store, event)
  await settleOne(store, lane, stored.id, { ...wanted, tells: subscribers })
  await store.release(lane, { to: 'idle' })
  return stored
}
