import { type Draft, type Drafts, draftOf, membersOf } from './draft.js'
import type { Fact } from './fact.js'
import { markDraft } from './mark-draft.js'
import { placeDraft, recallPlace, sketchPlace } from './place-draft.js'
import { resolvePrevious, resolveTarget } from './resolve-target.js'
import { isActive, isOver } from './status.js'
import { wouldCircle } from './thread.js'

/** Whom a fact was found to be about, and whom it replaces: the nearest of these is the last. */
export interface Touched {
  targets: string[]
  replaced: string[]
}

/** Applies the next fact in order to the bookings that it is about. `position` says where in the order it stands. */
export function applyFact(drafts: Drafts, fact: Fact, position: number): Touched {
  const targets = resolveTarget(drafts, fact)
  const replaced = resolvePrevious(drafts, fact, targets)
  for (const id of targets) {
    const draft = draftOf(drafts, id)
    for (const old of replaced) link(drafts, draftOf(drafts, old), draft, fact)
    change(drafts, draft, fact, position)
    if (fact.kind !== 'half') markDraft(draft, fact)
  }
  if (fact.target.kind === 'meeting' && (fact.kind === 'canceled' || fact.kind === 'rejected'))
    drafts.endedMeetings.set(fact.target.meetingId, fact)
  return { targets, replaced }
}

/** Rescheduled wins over every other end, whatever the times say. */
function link({ byId }: Drafts, old: Draft, next: Draft, fact: Fact): void {
  if (wouldCircle(byId, old, next)) return
  next.previousId = old.id
  old.nextId = next.id
  old.status = 'rescheduled'
  // What the half says, it says of the old booking: it does not know the new one.
  if (fact.kind !== 'half') return
  markDraft(old, fact)
  if (old.startsUs !== null || !fact.previousTimes) return
  old.startsUs = fact.previousTimes.startsUs
  old.endsUs = fact.previousTimes.endsUs
}

function change(drafts: Drafts, draft: Draft, fact: Fact, position: number): void {
  switch (fact.kind) {
    case 'requested':
      if (draft.status === null) placeDraft(drafts, draft, fact, position, 'requested')
      else recallPlace(draft, fact, position)
      break
    case 'created':
      if (draft.status === null || draft.status === 'requested')
        placeDraft(drafts, draft, fact, position, 'confirmed')
      else recallPlace(draft, fact, position)
      break
    case 'moved':
      if (isOver(draft)) recallPlace(draft, fact, position)
      else if (isThereAlready(drafts, draft, fact)) draft.status = 'canceled'
      else placeDraft(drafts, draft, fact, position, draft.status ?? 'confirmed')
      break
    case 'reassigned':
      if (!isOver(draft)) draft.resources = fact.resources ?? draft.resources
      break
    case 'canceled':
    case 'rejected':
      if (!isOver(draft)) draft.status = fact.kind
      sketchPlace(draft, fact)
      break
    case 'half':
      draft.meetingId ??= fact.meetingId
      break
    default:
      if (fact.wasThere && draft.status === null) placeDraft(drafts, draft, fact, position, 'confirmed')
      else sketchPlace(draft, fact)
  }
}

/** A meeting that is put onto another one brings nobody a second time: that booking ends. */
function isThereAlready(drafts: Drafts, draft: Draft, { target, meetingId }: Fact): boolean {
  if (target.kind !== 'meeting' || meetingId === null || meetingId === target.meetingId) return false
  return membersOf(drafts, meetingId).some(
    other => other.id !== draft.id && isActive(other) && other.alias !== null && other.alias === draft.alias,
  )
}
