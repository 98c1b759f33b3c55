import type { Known } from './decision.js'
import type { Fact } from './fact.js'

/** What is known so far. Events that wait are known too. */
export function factsOf(known: Pick<Known, 'facts' | 'waiting'>): Fact[] {
  return [...byKey(known).values()]
}

/** What is known together with this fact, which takes the place of what it said when it was decided before. */
export function factsWith(known: Pick<Known, 'facts' | 'waiting'>, fact: Fact): Fact[] {
  return [...byKey(known).set(fact.key, fact).values()]
}

function byKey({ facts, waiting }: Pick<Known, 'facts' | 'waiting'>): Map<string, Fact> {
  return new Map([...waiting.map(event => event.fact), ...facts].map(fact => [fact.key, fact]))
}
