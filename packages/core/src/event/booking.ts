import type { Instant } from './instant.js'

/**
 * Where a booking stands. `canceled`, `rejected` and `rescheduled` are terminal.
 * `conflict` is a confirmed booking that waits for a slot which another meeting holds.
 */
export type BookingStatus = 'requested' | 'confirmed' | 'conflict' | 'canceled' | 'rejected' | 'rescheduled'

/** One attendee's reservation: a Calendly invitee, a Cal.com booking or seat, an Acuity appointment. */
export interface Booking extends BookingDetails {
  id: string
  /** The oldest booking known of the chain that reschedules join. */
  threadId: string
  /** What occupies the time. Several bookings may share a meeting. */
  meetingId: string | null
  status: BookingStatus | null
  startsAt: Instant | null
  endsAt: Instant | null
  noShow: boolean
  payment: Payment | null
}

/** What describes a booking to a person. Each part is null (or empty) where the provider left it out. */
export interface BookingDetails {
  title: string | null
  /** The attendee's IANA zone, for display only. */
  timeZone: string | null
  hosts: Host[]
  attendee: Attendee | null
  guests: Guest[]
  location: Location | null
  answers: Answer[]
  tracking: Record<string, string | null> | null
  links: Links
  seats: Seats | null
}

export interface Host {
  id: string | null
  name: string | null
  email: string | null
}

export interface Attendee {
  name: string | null
  email: string | null
  phone: string | null
  timeZone: string | null
}

export interface Guest {
  name: string | null
  email: string | null
}

export interface Location {
  kind: 'in_person' | 'phone' | 'video' | 'other'
  url: string | null
  text: string | null
}

export interface Answer {
  question: string | null
  answer: string | null
  key: string | null
}

export interface Links {
  cancel: string | null
  reschedule: string | null
}

export interface Seats {
  id: string | null
  capacity: number | null
  taken: number | null
}

export interface Payment {
  /** A decimal string in major units, `"50.00"`. */
  amount: string | null
  /** ISO 4217, upper case. */
  currency: string | null
  paid: boolean | null
  reference: string | null
}
