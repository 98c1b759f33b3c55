import { type Adapter, objectOrNull, type StoredReading } from '@booking-webhooks/core'
import { type Api, getCollection, getResource, type Question } from './api.js'
import { notYet } from './failure.js'
import { contentOf } from './happening.js'
import { isLinkComing } from './location.js'
import { subjectOf } from './look.js'
import type { CalendlyScheduledEvent, CalendlySnapshot } from './payload.js'
import { apiPath, meetingOf } from './resource-uri.js'

/** Ten of Calendly's minutes. A booking that waits for its answer is told without it then, with all that comes after it in its lane. */
const deliveryWaitsMs = 10 * 60_000

/** Nobody waits for a look; but what it looks for is missed, and alerted in the end. */
const lookWaitsMs = 24 * 3_600_000

/**
 * Asks Calendly where the body is not enough: for a meeting, for an invitee and its meeting, for a link that was not there yet, for
 * the attendees of a canceled meeting. A look comes as late as `missingHalfMs` after the delivery that asked for it.
 */
export function fetcher(
  api: Api,
  { missingHalfMs }: { missingHalfMs: number },
): Required<Pick<Adapter, 'needsFetch' | 'waitsAtMostMs' | 'fetch'>> {
  return {
    needsFetch: reading => questionOf(reading) !== null,
    waitsAtMostMs: ({ isLook }) => (isLook ? missingHalfMs + lookWaitsMs : deliveryWaitsMs),
    async fetch(reading, context): Promise<CalendlySnapshot | null> {
      const question = questionOf(reading)
      if (!question) return null
      const { account, isLook } = reading
      const waits = isLook ? 'look' : 'delivery'
      const asked: Question = { account, waits, attempt: context.attempt, context }
      const half = question.half && (await getResource(api, question.half, asked))
      if (half === null) return null
      const meeting: CalendlyScheduledEvent | null = await getResource(api, question.meeting, asked)
      if (!meeting) return null
      if (question.attendee && isLinkComing(meeting)) throw notYet('The conference has no link yet.')
      const invitee = half ?? (question.attendee && (await getResource(api, question.attendee, asked)))
      const invitees = question.attendees && (await getCollection(api, question.attendees, asked))
      return { ...(invitee && { invitee }), ...(invitees && { invitees }), scheduled_event: meeting }
    },
  }
}

/** Paths of the API. */
interface Paths {
  meeting: string
  /** The invitee of whom nothing came. */
  half?: string
  /** Who waits for the meeting's link, unless it is over for them. */
  attendee?: string
  /** Who was in the meeting. */
  attendees?: string
}

/** What to ask; null where the body says it all, or names nothing that may be asked for. */
function questionOf(reading: StoredReading): Paths | null {
  if (reading.isLook) return questionOfLook(reading)
  const content = contentOf(reading.body)
  const happening = 'happenings' in content ? content.happenings[reading.index] : undefined
  if (happening?.of !== 'invitee') return null
  const isHalf = happening.event === 'invitee.canceled' && happening.newInvitee !== null
  if (isHalf || objectOrNull(happening.payload.scheduled_event)) return null
  const meeting = apiPath(happening.meetingId) ?? apiPath(meetingOf(happening.invitee))
  return meeting === null ? null : { meeting }
}

function questionOfLook(look: StoredReading): Paths | null {
  const subject = subjectOf(look)
  if (!subject) return null
  const meeting = apiPath(subject.for === 'half' ? meetingOf(subject.invitee) : subject.meeting)
  if (meeting === null) return null
  if (subject.for === 'attendees')
    return { meeting, attendees: `${meeting}/invitees?count=100&status=canceled` }
  const invitee = apiPath(subject.invitee)
  if (invitee === null) return null
  return subject.for === 'half' ? { meeting, half: invitee } : { meeting, attendee: invitee }
}
