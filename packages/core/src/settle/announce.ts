import type { BookingEvent, BookingEventType, EventType, ProviderEventType } from '../event/event.js'
import { identify, laneKey } from '../event/identity.js'
import { formatInstant, type Micros } from '../event/instant.js'
import type { NewTell } from '../inbox/new-tell.js'
import type { RegisteredSubscriber } from '../inbox/registered-subscriber.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import type { Announcement, Outcome } from '../lifecycle/decision.js'
import type { NewChild } from './settle-transaction.js'

/** What the ledger adds to an announcement: times and payload of the event that brought it. */
export interface Source {
  event: StoredEvent
  occurredUs: Micros
  occurredAtSource: 'provider' | 'received'
  raw: unknown
}

/** An announcement as the event that subscribers get. */
export function bookingEvent(announcement: Announcement, source: Source): BookingEvent {
  const { suffix: _, ...happening } = announcement
  const id = idOf(source.event, announcement.suffix)
  // The union's members differ only in which of these may be null; `decide` keeps to them, and its properties are tested.
  return { ...frame(source, id), ...happening } as BookingEvent
}

/** An event about no booking. */
export function notice(type: ProviderEventType, source: Source): BookingEvent {
  return {
    ...frame(source, source.event.id),
    type,
    booking: null,
    previous: null,
    previousThreadId: null,
    cancellation: null,
    conflict: null,
  }
}

/** The row of an announcement that has an id of its own. */
export function child(
  announcement: Announcement,
  source: Source,
  outcome: Outcome,
  reason: string,
): NewChild {
  const dedupeKey = source.event.dedupeKey + announcement.suffix
  return {
    ...identify(source.event.provider, source.event.account, dedupeKey),
    dedupeKey,
    type: announcement.type,
    bookingId: announcement.booking.id,
    meetingId: announcement.booking.meetingId,
    threadId: announcement.booking.threadId,
    occurredUs: source.occurredUs,
    outcome,
    reason,
    told: bookingEvent(announcement, source),
  }
}

/** One tell for each subscriber that takes the event, in the lane of the subscriber and the event's thread. */
export function tellsFor(event: BookingEvent, subscribers: readonly RegisteredSubscriber[]): NewTell[] {
  return subscribers
    .filter(subscriber => takesType(subscriber.takes, event.type))
    .map(({ name }) => ({
      eventId: event.id,
      subscriber: name,
      lane: tellLane(name, event.provider, event.account, event.booking?.threadId ?? event.id),
    }))
}

/** The lane in which one subscriber hears of one thread. */
export function tellLane(subscriber: string, provider: string, account: string, threadId: string): string {
  return laneKey('tell', subscriber, provider, account, threadId)
}

/** Whether a subscriber with these takes is told of this type. */
export function takesType(takes: readonly string[], type: EventType | BookingEventType): boolean {
  return (
    takes.includes('*') ||
    takes.includes(type) ||
    (type.startsWith('provider.') && takes.includes('provider.*'))
  )
}

function frame({ event, occurredUs, occurredAtSource, raw }: Source, id: string) {
  return {
    id,
    provider: event.provider,
    account: event.account,
    providerType: event.providerType,
    occurredAt: formatInstant(occurredUs),
    occurredAtSource,
    receivedAt: formatInstant(event.receivedUs),
    raw,
  }
}

function idOf(event: StoredEvent, suffix: string): string {
  return suffix === '' ? event.id : identify(event.provider, event.account, event.dedupeKey + suffix).id
}
