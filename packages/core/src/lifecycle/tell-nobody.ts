import type { Decision } from './decision.js'
import { draftOf } from './draft.js'
import type { Fact } from './fact.js'
import { markDraft } from './mark-draft.js'
import { sketchPlace } from './place-draft.js'
import { rule } from './rule.js'
import type { Scene } from './scene.js'
import { markTypeOf } from './verdict.js'

/**
 * Decides a fact about somebody of whom nothing is known. It is told at once under the meeting's name (the booking may be
 * older than the installation) and leaves no row; the fact applies to the booking once that one comes. Only a create or move
 * without a name for what it makes has nothing to tell before.
 */
export function tellNobody(scene: Scene): Decision {
  const { fact } = scene
  const meetingId = fact.target.kind === 'booking' ? fact.target.id : fact.target.meetingId
  const name = (decision: Decision): Decision => ({
    ...decision,
    bookingId: meetingId,
    meetingId,
    threadId: meetingId,
  })
  if (!isEnd(fact) && !isMark(fact))
    return name(
      rule(scene, [], {
        outcome: 'unchanged',
        reason: 'It is about somebody of whom nothing is known yet. It applies once that booking comes.',
      }),
    )
  if (isRepeated(scene))
    return name(rule(scene, [], { outcome: 'unchanged', reason: 'The same was told before.' }))

  const booking = sketchOf(fact, meetingId)
  const type = isEnd(fact) ? (`booking.${fact.kind}` as const) : markTypeOf(fact, undefined, booking)
  scene.tell({
    type,
    booking: { ...booking, told: 'none', toldAs: null, waits: false, snapshot: null, updatedUs: 0 },
  })
  return name(
    rule(scene, [], { outcome: 'accepted', reason: 'It tells of a booking that is not known here.' }),
  )
}

type EndFact = Fact & { kind: 'canceled' | 'rejected' }

function isEnd(fact: Fact): fact is EndFact {
  return fact.kind === 'canceled' || fact.kind === 'rejected'
}

function isMark({ kind }: Fact): boolean {
  return ['updated', 'reassigned', 'paid', 'started', 'ended', 'no_show'].includes(kind)
}

/** The newest of those that said something of the same sort about the same unknown one said the same. */
function isRepeated({ known, fact, after }: Scene): boolean {
  const [newest] = known.facts
    .filter(other => other.key !== fact.key && other.kind === fact.kind)
    .filter(other => same(other.target, fact.target) && after.touched.get(other.key)?.targets.length === 0)
    .sort((a, b) => b.occurredUs - a.occurredUs)
  return (
    newest !== undefined &&
    newest.noShow === fact.noShow &&
    same(newest.details, fact.details) &&
    newest.startsUs === fact.startsUs
  )
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** The unknown booking, as far as the fact itself describes it. */
function sketchOf(fact: Fact, id: string) {
  const draft = draftOf({ byId: new Map(), endedMeetings: new Map() }, id)
  if (isEnd(fact)) draft.status = fact.kind
  sketchPlace(draft, fact)
  markDraft(draft, fact)
  draft.meetingId = id
  const { joinedAt: _, ...booking } = draft
  return booking
}
