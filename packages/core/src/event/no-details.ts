import type { BookingDetails } from './booking.js'

/** What describes a booking of which nothing is known. */
export function noDetails(): BookingDetails {
  return {
    title: null,
    timeZone: null,
    hosts: [],
    attendee: null,
    guests: [],
    location: null,
    answers: [],
    tracking: null,
    links: { cancel: null, reschedule: null },
    seats: null,
  }
}
