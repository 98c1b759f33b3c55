import type { FoldedBooking } from './decision.js'
import type { Draft, Drafts } from './draft.js'
import type { Fact } from './fact.js'
import { endedBy } from './mark-draft.js'

/** Brings the booking into the fact's meeting, time and resources. A meeting that is over takes it along. */
export function placeDraft(
  { endedMeetings }: Drafts,
  draft: Draft,
  fact: Fact,
  position: number,
  status: FoldedBooking['status'],
): void {
  const meetingId = meetingOf(fact) ?? draft.meetingId
  if (draft.joinedAt < 0 || meetingId !== draft.meetingId) draft.joinedAt = position
  draft.meetingId = meetingId
  draft.status = status
  setPlace(draft, fact)
  const end = meetingId === null ? undefined : endedMeetings.get(meetingId)
  if (!end) return
  draft.status = end.kind === 'rejected' ? 'rejected' : 'canceled'
  draft.cancellation ??= endedBy(end)
}

/** What a create or move that came too late still tells: the meeting that the booking was in, and when it was to be. */
export function recallPlace(draft: Draft, fact: Fact, position: number): void {
  if (draft.joinedAt < 0) {
    draft.meetingId = meetingOf(fact) ?? draft.meetingId
    draft.joinedAt = position
  }
  if (draft.startsUs === null) setPlace(draft, fact)
}

/** What a mark or an end tells of place and time, as far as no create or move did. Of a booking that stands the end may change. */
export function sketchPlace(draft: Draft, fact: Fact): void {
  draft.meetingId ??= meetingOf(fact)
  if (draft.status === null || draft.startsUs === null) setPlace(draft, fact)
  else if (fact.kind === 'updated' && (fact.startsUs ?? draft.startsUs) === draft.startsUs)
    draft.endsUs = fact.endsUs ?? draft.endsUs
}

function setPlace(draft: Draft, { startsUs, endsUs, resources, keepsResources = false }: Fact): void {
  if (!keepsResources || draft.resources.length === 0) draft.resources = resources ?? draft.resources
  draft.endsUs = endsUs ?? (startsUs === null ? draft.endsUs : null)
  draft.startsUs = startsUs ?? draft.startsUs
}

function meetingOf({ meetingId, target }: Fact): string | null {
  if (meetingId !== null) return meetingId
  return target.kind === 'booking' ? null : target.meetingId
}
