import { type Adapter, objectOrNull, type StoredReading } from '@booking-webhooks/core'
import { type Api, getResource } from './api.js'
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
 * Asks Calendly where the body is not enough: for a meeting, for an invitee and its meeting, for a link that was not there yet.
 * A look comes as late as `missingHalfMs` after the delivery that asked for it.
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
      const get = (path: string) =>
        getResource(api, path, { account, waits, attempt: context.attempt, context })
      const invitee = question.invitee && (await get(question.invitee))
      if (invitee === null) return null
      const meeting: CalendlyScheduledEvent | null = await get(question.meeting)
      if (!meeting) return null
      if (question.isForLink && isLinkComing(meeting)) throw notYet('The conference has no link yet.')
      return { ...(invitee && { invitee }), scheduled_event: meeting }
    },
  }
}

interface Question {
  /** Paths of the API. */
  invitee?: string
  meeting: string
  isForLink: boolean
}

/** What to ask; null where the body says it all, or names nothing that may be asked for. */
function questionOf(reading: StoredReading): Question | null {
  if (reading.isLook) return questionOfLook(reading)
  const content = contentOf(reading.body)
  const happening = 'happenings' in content ? content.happenings[reading.index] : undefined
  if (happening?.of !== 'invitee') return null
  const isHalf = happening.event === 'invitee.canceled' && happening.newInvitee !== null
  if (isHalf || objectOrNull(happening.payload.scheduled_event)) return null
  const meeting = apiPath(happening.meetingId) ?? apiPath(meetingOf(happening.invitee))
  return meeting === null ? null : { meeting, isForLink: false }
}

function questionOfLook(look: StoredReading): Question | null {
  const subject = subjectOf(look)
  if (!subject) return null
  if (subject.meeting !== null) {
    const meeting = apiPath(subject.meeting)
    return meeting === null ? null : { meeting, isForLink: true }
  }
  const invitee = apiPath(subject.invitee)
  const meeting = apiPath(meetingOf(subject.invitee))
  return invitee === null || meeting === null ? null : { invitee, meeting, isForLink: false }
}
