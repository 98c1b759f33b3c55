import type { Fact, Target } from './fact.js'

/**
 * Under which names a fact is found again: the bookings that it is about or links, and the meeting where persons are
 * addressed through it. Facts that share a subject are folded together.
 */
export function subjectsOf(
  fact: Pick<Fact, 'kind' | 'target' | 'previous' | 'alias' | 'meetingId'>,
): string[] {
  const subjects = new Set<string>()
  for (const target of [fact.target, fact.previous]) if (target) subjects.add(subjectOf(target))
  if (fact.alias !== null && fact.meetingId !== null) subjects.add(`m:${fact.meetingId}`)
  if (fact.target.kind === 'person' && fact.target.newId !== null) subjects.add(`b:${fact.target.newId}`)
  if (fact.kind === 'moved' && fact.target.kind === 'meeting' && fact.meetingId !== null)
    subjects.add(`m:${fact.meetingId}`)
  return [...subjects].sort()
}

function subjectOf(target: Target): string {
  return target.kind === 'booking' ? `b:${target.id}` : `m:${target.meetingId}`
}
