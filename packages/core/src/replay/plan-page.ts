import type { RegisteredSubscriber } from '../inbox/registered-subscriber.js'
import type { ReplayCandidate, ReplayCounts, ReplayPage, ReplayRequest } from './replay-store.js'
import { whatToReplay } from './what-to-replay.js'

/** A replay that has not looked at anything yet. */
export const nothingCounted: ReplayCounts = { told: 0, decided: 0, overtaken: 0, leftOut: 0, tells: 0 }

/** Everything that a replay does about these events, added to what it did before. */
export function planPage(
  candidates: readonly ReplayCandidate[],
  request: ReplayRequest,
  subscribers: readonly RegisteredSubscriber[],
  before: ReplayCounts,
): Pick<ReplayPage, 'tells' | 'decide' | 'counts'> {
  const plan: Pick<ReplayPage, 'tells' | 'decide' | 'counts'> = {
    tells: [],
    decide: [],
    counts: { ...before },
  }
  for (const candidate of candidates) {
    const redo = whatToReplay(candidate, request, subscribers)
    plan.counts[redo.is] += 1
    if (redo.is === 'decided') plan.decide.push({ eventId: candidate.eventId, wasSettled: redo.wasSettled })
    if (redo.is !== 'told') continue
    plan.tells.push(...redo.tells)
    plan.counts.tells += redo.tells.length
  }
  return plan
}
