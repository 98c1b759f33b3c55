import type { Fact, FactKind, Target } from '@booking-webhooks/core'

/** A fact with everything it does not say left out. */
export type Saying = Partial<Omit<Fact, 'previous' | 'target'>> & {
  kind: FactKind
  occurredUs: number
  /** A booking's id, or a target. */
  target: string | Target
  previous?: string | Target | null
}

/** A fact whose key, unless it is given, names what it says. */
export function fact({ target, previous = null, ...saying }: Saying): Fact {
  const about = targetOf(target)
  const before = previous === null ? null : targetOf(previous)
  return {
    key: `${saying.kind} ${nameOf(about)}${before ? ` from ${nameOf(before)}` : ''}`,
    target: about,
    previous: before,
    meetingId: null,
    startsUs: null,
    endsUs: null,
    resources: null,
    alias: null,
    noShow: null,
    cancellation: null,
    details: null,
    ...saying,
  }
}

/** Everyone in a meeting. */
export function meeting(meetingId: string): Target {
  return { kind: 'meeting', meetingId }
}

/** One person's booking in a meeting. */
export function person(
  meetingId: string,
  alias: string,
  { named = null, newId = null }: { named?: string | null; newId?: string | null } = {},
): Target {
  return { kind: 'person', meetingId, alias, named, newId }
}

function targetOf(target: string | Target): Target {
  return typeof target === 'string' ? { kind: 'booking', id: target } : target
}

function nameOf(target: Target): string {
  if (target.kind === 'booking') return target.id
  return target.kind === 'person' ? `${target.alias} in ${target.meetingId}` : `all of ${target.meetingId}`
}
