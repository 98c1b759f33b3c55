import type { EventType } from '../event/event.js'
import type { Micros } from '../event/instant.js'
import type { Outcome } from '../lifecycle/decision.js'

export interface EventFilter {
  event?: string
  booking?: string
  provider?: string
  account?: string
  type?: string
  outcome?: Outcome
  status?: EventStatus
  subscriber?: string
  /** Included. */
  fromUs?: Micros
  /** Excluded. */
  toUs?: Micros
  by?: 'received' | 'occurred'
}

/** `pending`: not settled, or a subscriber still to be told. `waiting`: a conflict whose slot is held. */
export type EventStatus = (typeof eventStatuses)[number]

/** All of them, for choices and checks. */
export const eventStatuses = ['pending', 'waiting', 'done', 'dead'] as const

export interface Page {
  limit: number
  /** As handed out by the page before; null for the first. */
  cursor: string | null
}

export interface Paged<Row> {
  rows: Row[]
  /** Null on the last page. */
  cursor: string | null
}

export interface TellRow {
  subscriber: string
  status: 'pending' | 'done' | 'dead'
  attempts: number
  lastError: string | null
}

/** A row of `events --json`. */
export interface EventRow {
  id: string
  type: EventType | null
  provider: string
  account: string
  providerType: string
  bookingId: string | null
  meetingId: string | null
  occurredAt: string | null
  receivedAt: string
  lastReceivedAt: string
  deliveries: number
  status: EventStatus
  outcome: Outcome | null
  reason: string | null
  attempts: number
  lastError: string | null
  replays: number
  tells: TellRow[]
}

export interface BookingFilter {
  booking?: string
  provider?: string
  account?: string
  thread?: string
  status?: string
}

/** A row of `bookings --json`. */
export interface BookingRow {
  id: string
  provider: string
  account: string
  status: string
  threadId: string
  meetingId: string | null
  startsAt: string | null
  endsAt: string | null
  resources: string[]
  attendee: { name: string | null; email: string | null } | null
  noShow: boolean
  updatedAt: string
}

/** What listings need of a store. */
export interface ListingStore {
  /** Newest first; without second looks. */
  events(filter: EventFilter, page: Page): Promise<Paged<EventRow>>
  /** Newest change first. */
  bookings(filter: BookingFilter, page: Page): Promise<Paged<BookingRow>>
}
