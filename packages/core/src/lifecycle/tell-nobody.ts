import { isDeepStrictEqual } from 'node:util'
import { newRow } from './booking-rows.js'
import type { Decision, FoldedBooking } from './decision.js'
import { blankDraft, foldedOf } from './draft.js'
import { compareFacts, type Fact } from './fact.js'
import { markDraft } from './mark-draft.js'
import { sketchPlace } from './place-draft.js'
import { type Ruling, rule } from './rule.js'
import type { Scene } from './scene.js'
import { isOver } from './status.js'
import { markTypeOf } from './verdict.js'

/**
 * Decides a fact about somebody of whom nothing is known. It is told at once under the meeting's name (the booking may be
 * older than the installation), a move as an update: it makes no booking, and applies to the right ones once they come.
 * Only a create without a name for what it makes has nothing to tell before.
 */
export function tellNobody(scene: Scene): Decision {
  const { fact, rows, after } = scene
  const meetingId = fact.target.kind === 'booking' ? fact.target.id : fact.target.meetingId
  const end = (ruling: Ruling): Decision => ({ ...rule(scene, [meetingId], ruling), meetingId })
  // The meeting's own booking may be known, though only from what came after.
  const known = after.bookings.get(meetingId)?.status ? rows.get(meetingId) : undefined
  // Its end is not that booking's.
  if (isEnd(fact) ? known : !isTold(fact)) return end(later)
  const earlier = newestLike(scene)
  if (earlier && compareFacts(earlier, fact) > 0) return end(stale)
  if (earlier && isCopy(earlier, fact)) return end(repeated)
  if (known && isOver(known) && (fact.kind === 'started' || fact.kind === 'ended'))
    return end({ outcome: 'refused', reason: `The booking was ${known.status}. It cannot take place.` })
  const row = known ?? rows.get(meetingId) ?? newRow(foldedOf(blankDraft(meetingId)), scene.known.nowUs)
  // The row keeps what was told in the thread of its name, should the thread get another name.
  rows.set(meetingId, row)
  const booking = known ?? { ...row, ...sketchOf(fact, meetingId) }
  const type = isEnd(fact) ? (`booking.${fact.kind}` as const) : markTypeOf(fact, undefined, booking)
  scene.tell({ type, booking })
  return end({ outcome: 'accepted', reason: 'It tells of a booking that is not known here.' })
}

const later: Ruling = {
  outcome: 'unchanged',
  reason: 'It is about somebody of whom nothing is known yet. It applies once that booking comes.',
}

const stale: Ruling = { outcome: 'stale', reason: 'Something newer was told of the same.' }

const repeated: Ruling = { outcome: 'unchanged', reason: 'The same was told before.' }

type EndFact = Fact & { kind: 'canceled' | 'rejected' }

function isEnd(fact: Fact): fact is EndFact {
  return fact.kind === 'canceled' || fact.kind === 'rejected'
}

function isTold({ kind, target }: Fact): boolean {
  if (kind === 'moved') return target.kind === 'meeting'
  return ['updated', 'reassigned', 'paid', 'started', 'ended', 'no_show'].includes(kind)
}

/** The newest of those that said something of the same sort about the same unknown one. What happens but once has none. */
function newestLike({ known, fact, after }: Scene): Fact | undefined {
  if (['started', 'ended', 'paid'].includes(fact.kind)) return undefined
  return (
    known.facts
      .filter(other => other.key !== fact.key && other.kind === fact.kind)
      .filter(other => isDeepStrictEqual(other.target, fact.target) && other.meetingId === fact.meetingId)
      // A meeting that was put onto another one is empty afterwards: the copy of that move finds nobody.
      .filter(other => fact.kind === 'moved' || after.touched.get(other.key)?.targets.length === 0)
      .sort(compareFacts)
      .at(-1)
  )
}

/** Another subscription's: its key differs by the time of sending. */
function isCopy(a: Fact, b: Fact): boolean {
  const said = ({ noShow, startsUs, details, resources }: Fact) => [noShow, startsUs, details, resources]
  return isDeepStrictEqual(said(a), said(b))
}

/** The unknown booking, as far as the fact itself describes it. */
function sketchOf(fact: Fact, meetingId: string): FoldedBooking {
  const draft = blankDraft(meetingId)
  if (isEnd(fact)) draft.status = fact.kind
  sketchPlace(draft, fact)
  // The meeting's name stands for somebody who is not known: what the provider names is not theirs.
  const { target } = fact
  markDraft(draft, target.kind === 'person' ? { ...fact, target: { ...target, named: null } } : fact)
  return foldedOf({ ...draft, meetingId })
}
