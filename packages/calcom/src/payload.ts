/**
 * What Cal.com sends, as far as it is read here; other fields are there too. Nothing checked the bytes: every field may be
 * missing, null or `""`, in any version. https://cal.com/docs/developing/guides/automation/webhooks
 */
export interface CalcomEnvelope extends CalcomPayload {
  /** `BOOKING_CREATED`, `MEETING_ENDED`, … */
  triggerEvent?: string
  /** When the event was queued or sent; for `MEETING_*` the booking row's own. */
  createdAt?: string
  /** Absent in `MEETING_*` (and some templates), which have the payload's fields beside `triggerEvent`. */
  payload?: CalcomPayload
  /** Set instead of all else where the event was found by asking the API. */
  data?: CalcomApiBooking
}

/** A booking for most triggers; for others what their page says, with these in common. */
export interface CalcomPayload {
  /** One booking row, shared by its seats. New on every reschedule of a booking without seats. */
  uid?: string
  /** In place of `uid` in no-show and instant-meeting bodies. */
  bookingUid?: string
  /** In place of `uid` in `WRONG_ASSIGNMENT_REPORT`. */
  booking?: { uid?: string }
  /** Display only: may name another booking than `uid` where a seat moves. */
  bookingId?: number | null
  /** A seat: globally unique, and missing wherever it would be needed most. */
  attendeeSeatId?: string | null
  /** A number for events with seats, null for others, absent where the trigger leaves it out. */
  seatsPerTimeSlot?: number | null
  /** Written by the trigger, not read from the booking: decides nothing but whether a reschedule waits for the host. */
  status?: 'ACCEPTED' | 'PENDING' | 'CANCELLED' | 'REJECTED'
  startTime?: string
  endTime?: string
  title?: string | null
  eventTitle?: string | null
  organizer?: CalcomPerson
  /** The organizer in `MEETING_*`. */
  user?: CalcomPerson | null
  userId?: number | null
  team?: { id?: number; name?: string; members?: CalcomPerson[] } | null
  /** The first is who booked, the rest are guests; with seats one seat's person or many. */
  attendees?: CalcomAttendee[]
  /** `{ slug: { label, value } }`, or raw values in some `MEETING_*`. */
  responses?: Record<string, unknown> | null
  /** A URL, `integrations:daily`, a phone number or an address. */
  location?: string | null
  videoCallData?: { url?: string } | null
  metadata?: { videoCallUrl?: string; bookerEmail?: string } | null
  iCalUID?: string | null
  bookerUrl?: string
  platformClientId?: string | null
  disableCancelling?: boolean | null
  disableRescheduling?: boolean | null
  requiresConfirmation?: boolean | null
  /** The booking (or meeting) that this one replaces. */
  rescheduleUid?: string | null
  rescheduleStartTime?: string | null
  rescheduleEndTime?: string | null
  cancellationReason?: string | null
  rejectionReason?: string | null
  /** An address that the cancel link carries: display, not proof. */
  cancelledBy?: string | null
  /** True where the host asks for another time. */
  requestReschedule?: boolean | null
  paymentId?: number | string | null
  /** In minor units. */
  price?: number | null
  currency?: string | null
  /** On create: booked as one of a series. On cancel, accept or reject: the whole series was meant. */
  recurringEvent?: { freq?: number; count?: number; interval?: number } | null
}

export interface CalcomPerson {
  id?: number
  name?: string | null
  email?: string | null
  username?: string | null
  timeZone?: string | null
}

export interface CalcomAttendee {
  /** `""` for a guest. */
  name?: string | null
  email?: string | null
  firstName?: string | null
  lastName?: string | null
  timeZone?: string | null
  phoneNumber?: string | null
  noShow?: boolean | null
}

/** A booking as API v2 answers. https://cal.com/docs/api-reference/v2/bookings/get-a-booking */
export interface CalcomApiBooking {
  uid?: string
  title?: string
  status?: 'accepted' | 'pending' | 'awaiting_host' | 'cancelled' | 'rejected'
  start?: string
  end?: string
  hosts?: CalcomPerson[]
  attendees?: (CalcomAttendee & { seatUid?: string })[]
  location?: string | null
  updatedAt?: string | null
  rescheduledFromUid?: string | null
  rescheduledToUid?: string | null
  /** The series that it belongs to. */
  recurringBookingUid?: string | null
  cancellationReason?: string | null
}
