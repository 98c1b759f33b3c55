import { formatInstant } from '@booking-webhooks/core'

/** Who booked what. Everything has a default; ids are as they stand in URIs: letters, digits and hyphens. */
export interface SampleInvitee {
  /** Default `IN1`. */
  id?: string
  /** The meeting's id. Default `EV1`. */
  meeting?: string
  name?: string
  email?: string
  /** Ids of users. Default `['US1']`. */
  hosts?: readonly string[]
  title?: string
  /** Default: a week after it was booked, on the hour. */
  startsAt?: Date
  minutes?: number
  bookedAt?: Date
  /** How many seats the meeting has and how many are taken. Default one of one. */
  seats?: { limit: number; active: number }
  /** The invitee that this one replaced, and the one that replaced this one. */
  oldInvitee?: SampleInvitee
  newInvitee?: SampleInvitee
}

const host = 'https://api.calendly.com'

export function meetingUri(invitee: SampleInvitee): string {
  return `${host}/scheduled_events/${invitee.meeting ?? 'EV1'}`
}

export function inviteeUri(invitee: SampleInvitee): string {
  return `${meetingUri(invitee)}/invitees/${invitee.id ?? 'IN1'}`
}

/** The payload of an `invitee.created` as Calendly sends it today. */
export function samplePayload(invitee: SampleInvitee, now: Date): Record<string, unknown> {
  const { id = 'IN1', name = 'Ann Example', email = 'ann@example.com', bookedAt = now } = invitee
  const { oldInvitee, newInvitee } = invitee
  return {
    uri: inviteeUri(invitee),
    event: meetingUri(invitee),
    status: 'active',
    email,
    name,
    first_name: null,
    last_name: null,
    timezone: 'America/Chicago',
    created_at: instant(bookedAt),
    updated_at: instant(bookedAt),
    rescheduled: false,
    old_invitee: oldInvitee ? inviteeUri(oldInvitee) : null,
    new_invitee: newInvitee ? inviteeUri(newInvitee) : null,
    cancel_url: `https://calendly.com/cancellations/${id}`,
    reschedule_url: `https://calendly.com/reschedulings/${id}`,
    questions_and_answers: [{ question: 'What is it about?', answer: 'A first talk', position: 0 }],
    text_reminder_number: null,
    routing_form_submission: null,
    tracking: sampleTracking(),
    payment: null,
    no_show: null,
    reconfirmation: null,
    scheduling_method: null,
    invitee_scheduled_by: null,
    scheduled_event: sampleMeeting(invitee, bookedAt),
  }
}

function sampleMeeting(invitee: SampleInvitee, bookedAt: Date): Record<string, unknown> {
  const { hosts = ['US1'], title = 'Intro call', minutes = 30, seats = { limit: 1, active: 1 } } = invitee
  const startsAt = invitee.startsAt ?? aWeekAfter(bookedAt)
  return {
    uri: meetingUri(invitee),
    name: title,
    status: 'active',
    start_time: instant(startsAt),
    end_time: instant(new Date(startsAt.getTime() + minutes * 60_000)),
    event_type: `${host}/event_types/ET1`,
    created_at: instant(bookedAt),
    updated_at: instant(bookedAt),
    location: { type: 'physical', location: '1 Example Street', additional_info: '2nd floor' },
    invitees_counter: { total: seats.active, active: seats.active, limit: seats.limit },
    event_memberships: hosts.map(user => ({
      user: `${host}/users/${user}`,
      user_email: `${user.toLowerCase()}@example.com`,
      user_name: `Host ${user}`,
    })),
    event_guests: [],
    meeting_notes_plain: null,
    meeting_notes_html: null,
  }
}

export function sampleTracking(): Record<string, string | null> {
  return {
    utm_campaign: null,
    utm_source: 'newsletter',
    utm_medium: null,
    utm_content: null,
    utm_term: null,
    salesforce_uuid: null,
  }
}

/** As Calendly writes times in payloads. */
export function instant(at: Date): string {
  return formatInstant(at.getTime() * 1000)
}

/** As Calendly writes the time of the envelope: cut to the second. */
export function wholeSecond(at: Date): string {
  return instant(new Date(Math.floor(at.getTime() / 1000) * 1000))
}

export function aWeekAfter(at: Date): Date {
  const hourMs = 3_600_000
  return new Date(Math.ceil(at.getTime() / hourMs) * hourMs + 168 * hourMs)
}
