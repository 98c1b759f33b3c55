/** Who booked what. Everything has a default; of attendees and hosts nobody exists. */
export interface SampleBooking {
  /** The booking row, shared by its seats. Default `uid1`. */
  uid?: string
  bookingId?: number
  name?: string
  email?: string
  /** Addresses of those whom the attendee brings along. */
  guests?: readonly string[]
  /** Others that the body lists with their names: more seats. */
  others?: readonly { name: string; email: string }[]
  /** How many seats the event has. Default null: none. */
  seatsPerTimeSlot?: number | null
  /** The seat's id, where the body names it. */
  seat?: string
  host?: { id?: number; name?: string; email?: string }
  title?: string
  /** Default: a week after it is sent, on the hour. */
  startsAt?: Date
  minutes?: number
  /** The booking (or, of a meeting that moves as a whole, the booking itself) that it replaces. */
  replaces?: SampleBooking
  /** True where the host has to accept it. */
  requiresConfirmation?: boolean
  /** How many bookings the series has that it belongs to, or that is meant as a whole. */
  seriesOf?: number
  /** In minor units of the currency. */
  price?: number
  paymentId?: number
}

/** The fields that all bodies about a booking share. The three spellings of an instant differ as Cal.com's do. */
export function samplePayload(booking: SampleBooking, spell: Spell, sentAt: Date): Record<string, unknown> {
  const { uid = 'uid1', title = 'Intro', host = {}, seriesOf, replaces } = booking
  const { seatsPerTimeSlot = null, price = 0, minutes = 30 } = booking
  const startsAt = booking.startsAt ?? aWeekAfter(sentAt)
  return {
    bookerUrl: 'https://app.cal.com',
    type: 'intro',
    title,
    startTime: spell(startsAt),
    endTime: spell(new Date(startsAt.getTime() + minutes * 60_000)),
    eventTypeId: 123,
    seatsPerTimeSlot,
    organizer: sampleHost(host),
    attendees: attendees(booking),
    responses: responses(booking),
    location: 'integrations:daily',
    iCalUID: `${replaces?.uid ?? uid}@Cal.com`,
    iCalSequence: 0,
    requiresConfirmation: booking.requiresConfirmation ?? false,
    uid,
    attendeeSeatId: booking.seat,
    eventTitle: title,
    price,
    currency: 'usd',
    length: minutes,
    bookingId: booking.bookingId ?? 9001,
    metadata: { videoCallUrl: `https://app.cal.com/video/${uid}` },
    ...(seriesOf && { recurringEvent: { freq: 2, count: seriesOf, interval: 1 } }),
    ...(replaces && replacement(replaces, spell, sentAt)),
  }
}

/** The booking's row, as `MEETING_STARTED` and `MEETING_ENDED` send it. */
export function sampleRow(booking: SampleBooking, sentAt: Date): Record<string, unknown> {
  const { uid = 'uid1', bookingId = 9001, title = 'Intro', host = {}, minutes = 30, replaces } = booking
  const startsAt = booking.startsAt ?? aWeekAfter(sentAt)
  const { id, name, email, timeZone, username } = sampleHost(host)
  const rowTime = new Date(startsAt.getTime() - 7 * 24 * 3_600_000)
  return {
    id: bookingId,
    uid,
    userId: id,
    userPrimaryEmail: email,
    eventTypeId: 123,
    title,
    description: '',
    responses: { name: nameOf(booking), email: emailOf(booking) },
    startTime: millis(startsAt),
    endTime: millis(new Date(startsAt.getTime() + minutes * 60_000)),
    location: 'integrations:daily',
    createdAt: millis(rowTime),
    updatedAt: null,
    status: 'ACCEPTED',
    paid: false,
    fromReschedule: replaces?.uid ?? null,
    metadata: {},
    iCalSequence: 0,
    user: { email, name, timeZone, username },
    attendees: attendees(booking).map(({ email: address, name: called, timeZone: zone }, index) => ({
      id: 701 + index,
      email: address,
      name: called,
      timeZone: zone,
      bookingId,
      noShow: false,
    })),
  }
}

/** `2026-02-03T14:00:00Z`: the booking flow. */
export const seconds: Spell = at => at.toISOString().replace(/\.\d+Z$/, 'Z')
/** `2026-02-03T14:00:00+00:00`: cancels, in the server's zone. */
export const offset: Spell = at => at.toISOString().replace(/\.\d+Z$/, '+00:00')
/** `2026-02-03T14:00:00.000Z`: accepts, rejects, payments, rows and every envelope. */
export const millis: Spell = at => at.toISOString()

export type Spell = (at: Date) => string

/** The full hour a week later. */
export function aWeekAfter(date: Date): Date {
  const hourMs = 3_600_000
  return new Date(Math.floor(date.getTime() / hourMs) * hourMs + 7 * 24 * hourMs)
}

export function sampleHost({
  id = 11,
  name = 'Olga Host',
  email = 'olga@example.com',
}: NonNullable<SampleBooking['host']>) {
  return {
    id,
    name,
    email,
    username: 'olga',
    timeZone: 'Europe/Berlin',
    language: { locale: 'en' },
    timeFormat: 'h:mma',
    utcOffset: 60,
  }
}

export function nameOf({ name = 'Ann Lee' }: SampleBooking): string {
  return name
}

export function emailOf({ email = 'ann@example.com' }: SampleBooking): string {
  return email
}

function attendees(booking: SampleBooking) {
  const { guests = [], others = [] } = booking
  const listed = [
    { name: nameOf(booking), email: emailOf(booking) },
    ...others,
    ...guests.map(email => ({ name: '', email })),
  ]
  return listed.map(({ name, email }) => ({
    email,
    name,
    timeZone: 'America/New_York',
    language: { locale: 'en' },
    utcOffset: -300,
  }))
}

function responses(booking: SampleBooking) {
  return {
    name: { label: 'your_name', value: nameOf(booking), isHidden: false },
    email: { label: 'email_address', value: emailOf(booking), isHidden: false },
    guests: { label: 'additional_guests', value: booking.guests ?? [], isHidden: false },
    notes: { label: 'additional_notes', isHidden: false },
  }
}

function replacement(old: SampleBooking, spell: Spell, sentAt: Date) {
  const { uid = 'uid1', bookingId = 9001, minutes = 30 } = old
  const startsAt = old.startsAt ?? aWeekAfter(sentAt)
  return {
    rescheduleId: bookingId,
    rescheduleUid: uid,
    rescheduleStartTime: spell(startsAt),
    rescheduleEndTime: spell(new Date(startsAt.getTime() + minutes * 60_000)),
  }
}
