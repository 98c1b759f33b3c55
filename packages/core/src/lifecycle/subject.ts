import type { Fact, Target } from './fact.js'

/**
 * Under which names a fact is found again: the bookings that it is about or links, and the meeting where persons are
 * addressed through it. Facts that share a subject are folded together.
 */
export function subjectsOf(
  fact: Pick<Fact, 'kind' | 'target' | 'previous' | 'alias' | 'meetingId'>,
): string[] {
  const subjects = new Set<string>()
  for (const target of [fact.target, fact.previous])
    if (target) for (const subject of namesOf(target)) subjects.add(subject)
  if (fact.alias !== null && fact.meetingId !== null) subjects.add(`m:${fact.meetingId}`)
  if (fact.kind === 'moved' && fact.target.kind === 'meeting' && fact.meetingId !== null)
    subjects.add(`m:${fact.meetingId}`)
  return [...subjects].sort()
}

/** A meeting without seats is the booking of its own id. */
function namesOf(target: Target): string[] {
  if (target.kind === 'booking') return [`b:${target.id}`]
  const names = [`m:${target.meetingId}`, `b:${target.meetingId}`]
  if (target.kind === 'person')
    for (const id of [target.named, target.newId]) if (id !== null) names.push(`b:${id}`)
  return names
}
