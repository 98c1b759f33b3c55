import type { Decision, Known } from './decision.js'
import type { Fact } from './fact.js'
import { type SuffixFor, tellChangedOthers, tellUnended } from './loose-ends.js'
import { type Ruling, rule } from './rule.js'
import { isOlderThanKnown, rowOf, type Scene, sceneOf } from './scene.js'
import { isOver } from './status.js'
import { tellNobody } from './tell-nobody.js'
import { isWhereItWasTold, standingOf, tellConflict } from './tell-standing.js'
import { markTypeOf, type Verdict, verdictOn } from './verdict.js'

/**
 * Decides one fact by the lifecycle (docs/model.md): what becomes of the bookings it concerns, which slots are freed, taken or
 * waited for, and what subscribers are told. Pure: no clock but `known.nowUs`, and what it is given is left as it is.
 * `known` must hold everything that shares a subject with the fact, and the holders of `slotsConcerned`.
 */
export function decide(known: Known, fact: Fact, options: { slots: boolean }): Decision {
  const scene = sceneOf(known, fact, options)
  const targets = targetsOf(scene)
  if (targets.length === 0) return tellNobody(scene)

  const suffixFor = suffixes(scene)
  const verdicts = targets.map(id => tellTarget(scene, id, suffixFor))
  tellChangedOthers(scene, new Set(targets), suffixFor)
  const isLeft = tellUnended(scene, suffixFor)
  return rule(scene, targets, rulingOf(scene, verdicts, isLeft))
}

/** Whom to tell of: of a whole meeting those who are still in it. Those that have to wait come first: they name the event. */
function targetsOf({ after, before, fact, rows, assignment }: Scene): string[] {
  const all = after.touched.get(fact.key)?.targets ?? []
  const wasOver = (id: string) => {
    const [was, is] = [before.bookings.get(id), rows.get(id)]
    return was !== undefined && is !== undefined && isOver(was) && isOver(is)
  }
  const present = all.filter(id => fact.target.kind !== 'meeting' || !wasOver(id))
  const targets = present.length > 0 ? present : all
  const waits = (id: string) => assignment.blocked.has(id)
  return [...targets.filter(waits), ...targets.filter(id => !waits(id))]
}

/** The event's own id goes to the first that is told. It is kept for later where the event waits, and a half has none to tell. */
function suffixes({ fact, announcements, assignment }: Scene): SuffixFor {
  const isTold = assignment.blocked.size === 0 && fact.kind !== 'half'
  return (id, isConflict) => {
    const isFirst = announcements.length === 0
    if (isConflict) return isFirst ? '|conflict' : `|${id}|conflict`
    return isFirst && isTold ? '' : `|${id}`
  }
}

function tellTarget(scene: Scene, id: string, suffixFor: SuffixFor): Verdict {
  const { fact, before, assignment } = scene
  const row = rowOf(scene, id)
  if (assignment.blocked.has(id)) {
    tellConflict(scene, row, standingOf(scene, row), suffixFor(id, true))
    return { outcome: 'accepted', reason: '' }
  }
  const was = before.bookings.get(id)
  const change = { fact, was, is: row, told: row.told, isOlder: isOlderThanKnown(scene, id) }
  const verdict = verdictOn(change)
  if (verdict.outcome !== 'accepted') return verdict
  const suffix = suffixFor(id, false)
  switch (fact.kind) {
    case 'requested':
    case 'created':
    case 'moved':
      // One that waited before goes on waiting: what is new of it is no new standing.
      if (row.waits) scene.tell({ type: 'booking.updated', booking: row, suffix })
      else if (fact.kind === 'moved' && isWhereItWasTold(scene, row)) {
        scene.tell({ type: 'booking.updated', booking: row, suffix })
        return { outcome: 'accepted', reason: 'The booking was changed; its time and hosts are the same.' }
      } else scene.tell({ booking: row, ...standingOf(scene, row), suffix })
      return verdict
    case 'canceled':
    case 'rejected':
      scene.tell({ type: `booking.${fact.kind}`, booking: row, suffix })
      return verdict
    default: {
      const type = markTypeOf(fact, was, row)
      const previousId = type === 'booking.rescheduled' ? row.id : null
      scene.tell({ type, booking: row, previousId, suffix, ...(fact.wasThere && { isStanding: true }) })
      return verdict
    }
  }
}

function rulingOf({ announcements, assignment }: Scene, verdicts: Verdict[], isLeft: boolean): Ruling {
  if (assignment.blocked.size > 0)
    return { outcome: 'conflict', reason: 'Another meeting holds the slot. It waits until the slot is free.' }
  const accepted = verdicts.find(({ outcome }) => outcome === 'accepted')
  if (accepted) return accepted
  if (announcements.some(({ suffix }) => suffix === ''))
    return {
      outcome: 'accepted',
      reason: 'It ends a booking that subscribers were told of, so they are told.',
    }
  const [first] = [...verdicts].sort((a, b) => weight(a) - weight(b))
  if (first?.outcome === 'superseded' || (first && announcements.length === 0 && !isLeft)) return first
  return {
    outcome: 'superseded',
    reason: isLeft
      ? 'A newer booking of its thread is known only by name. The event that makes that one tells it.'
      : 'The newest booking of its thread waits for a slot. That is told instead.',
  }
}

/** What deserves attention comes first. */
function weight({ outcome }: Verdict): number {
  return ['refused', 'superseded', 'stale', 'unchanged'].indexOf(outcome)
}
