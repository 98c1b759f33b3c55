/**
 * What Calendly sends, as far as it is read here; other fields are there too. Nothing checked the bytes:
 * every field may be missing, and old subscriptions send less.
 * https://developer.calendly.com/docs/webhooks/overview
 */
export interface CalendlyEnvelope {
  /** `invitee.created`, `invitee.canceled`, `invitee_no_show.created`, … */
  event?: string
  /** When the webhook event was made: whole seconds as a rule, and possibly before the change it tells of. */
  created_at?: string
  /** The user who made the subscription: neither host nor attendee. */
  created_by?: string | null
  payload?: CalendlyPayload
}

/** An invitee for `invitee.*` and `invitee_no_show.*`; for other events what their page says, with these in common. */
export interface CalendlyPayload {
  uri?: string
  created_at?: string
  updated_at?: string
  deleted_at?: string | null
  /** The meeting's URI. */
  event?: string
  status?: 'active' | 'canceled'
  email?: string
  name?: string | null
  first_name?: string | null
  last_name?: string | null
  timezone?: string | null
  text_reminder_number?: string | null
  /** True on the old invitee of a reschedule only. */
  rescheduled?: boolean
  old_invitee?: string | null
  new_invitee?: string | null
  cancel_url?: string
  reschedule_url?: string
  cancellation?: CalendlyCancellation
  no_show?: { uri?: string; created_at?: string } | null
  payment?: CalendlyPayment | null
  questions_and_answers?: CalendlyAnswer[]
  tracking?: CalendlyTracking
  /** Absent in deliveries before 2023. */
  scheduled_event?: CalendlyScheduledEvent
}

export interface CalendlyCancellation {
  canceled_by?: string
  reason?: string | null
  canceler_type?: 'host' | 'invitee'
  /** Absent before 2023. */
  created_at?: string
}

export interface CalendlyPayment {
  external_id?: string
  provider?: string
  /** In major units. */
  amount?: number
  currency?: string
  terms?: string | null
  successful?: boolean
}

export interface CalendlyAnswer {
  question?: string
  /** Null in routing forms only. Several lines or choices are joined by `\n`. */
  answer?: string | null
  position?: number
}

export interface CalendlyTracking {
  utm_campaign?: string | null
  utm_source?: string | null
  utm_medium?: string | null
  utm_content?: string | null
  utm_term?: string | null
  salesforce_uuid?: string | null
}

/** The meeting. */
export interface CalendlyScheduledEvent {
  uri?: string
  name?: string | null
  /** Of the meeting: stays `active` when one of several attendees cancels. */
  status?: 'active' | 'canceled'
  start_time?: string
  end_time?: string
  event_type?: string
  location?: CalendlyLocation | null
  invitees_counter?: { total?: number; active?: number; limit?: number }
  event_memberships?: { user?: string; user_email?: string; user_name?: string }[]
  event_guests?: { email?: string }[]
}

export interface CalendlyLocation {
  type?: string
  /** A place, a phone number or free text. */
  location?: string | null
  additional_info?: string | null
  status?: string
  /** Null until the conference has been made. */
  join_url?: string | null
}

/** What was fetched: the meeting of a payload without one, and an invitee or all of its invitees where a look was for them. */
export interface CalendlySnapshot {
  invitee?: CalendlyPayload
  invitees?: CalendlyPayload[]
  scheduled_event?: CalendlyScheduledEvent
}
