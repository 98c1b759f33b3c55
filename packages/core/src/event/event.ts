import type { Booking, Host } from './booking.js'
import type { Instant } from './instant.js'

/** What may happen to a booking. `booking.conflict` is raised by the library itself. */
export type BookingEventType =
  | 'booking.requested'
  | 'booking.created'
  | 'booking.rescheduled'
  | 'booking.canceled'
  | 'booking.rejected'
  | 'booking.updated'
  | 'booking.no_show'
  | 'booking.paid'
  | 'booking.started'
  | 'booking.ended'
  | 'booking.conflict'

/** What is about no booking keeps its provider's name: `provider.routing_form_submission.created`. */
export type ProviderEventType = `provider.${string}`

export type EventType = BookingEventType | ProviderEventType

/** What subscribers were last told of the booking that this one replaces, as far as known. */
export interface Previous {
  bookingId: string
  startsAt: Instant | null
  endsAt: Instant | null
  hosts: Host[]
}

export interface Cancellation {
  by: 'host' | 'attendee' | 'unknown'
  reason: string | null
  /** True where the host asks the attendee to choose another time. */
  rescheduleRequested: boolean
}

export interface Conflict {
  /** The event type that waits for the slot. */
  wanted: 'booking.created' | 'booking.rescheduled'
  /** The meetings that hold the slots it wants. */
  with: string[]
}

interface EventBase<Provider extends string, Raw> {
  /** The same on every attempt and replay: the idempotency key to hand to a calendar or mail service. */
  id: string
  provider: Provider
  account: string
  /** The event's name as the provider sent it. */
  providerType: string
  occurredAt: Instant
  /** `received` where the provider sends no time. */
  occurredAtSource: 'provider' | 'received'
  receivedAt: Instant
  /** The thread's name until an older booking of it became known, else null. */
  previousThreadId: string | null
  /** The provider's own payload, parsed. */
  raw: Raw
}

interface AboutBooking<Type extends BookingEventType> {
  type: Type
  booking: Booking
  previous: Previous | null
  cancellation: Cancellation | null
  conflict: null
}

interface Rescheduled extends Omit<AboutBooking<'booking.rescheduled'>, 'previous'> {
  previous: Previous
}

interface Canceled extends Omit<AboutBooking<'booking.canceled'>, 'cancellation'> {
  cancellation: Cancellation
}

interface Conflicted extends Omit<AboutBooking<'booking.conflict'>, 'conflict'> {
  conflict: Conflict
}

interface AboutNoBooking {
  type: ProviderEventType
  booking: null
  previous: null
  cancellation: null
  conflict: null
}

type Happening =
  | AboutBooking<
      | 'booking.requested'
      | 'booking.created'
      | 'booking.rejected'
      | 'booking.updated'
      | 'booking.no_show'
      | 'booking.paid'
      | 'booking.started'
      | 'booking.ended'
    >
  | Rescheduled
  | Canceled
  | Conflicted
  | AboutNoBooking

/** One thing that happened to one booking, in the shape that all providers share. A union on `type`. */
export type BookingEvent<Provider extends string = string, Raw = unknown> = EventBase<Provider, Raw> &
  Happening

/** The events whose `type` is `Type`, with everything that type promises. */
export type EventOf<Event extends BookingEvent, Type extends EventType> = Type extends ProviderEventType
  ? Extract<Event, { booking: null }>
  : Event extends { type: infer T }
    ? Type extends T
      ? Event & { type: Type }
      : never
    : never
