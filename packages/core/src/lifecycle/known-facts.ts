import type { Known } from './decision.js'
import type { Fact } from './fact.js'

/** What is known without this fact: also where it is decided again. Events that wait are known too. */
export function factsWithout({ facts, waiting }: Pick<Known, 'facts' | 'waiting'>, fact: Fact): Fact[] {
  const byKey = new Map<string, Fact>()
  for (const one of [...waiting.map(event => event.fact), ...facts]) byKey.set(one.key, one)
  byKey.delete(fact.key)
  return [...byKey.values()]
}

/** What is known together with this fact. */
export function factsWith(known: Pick<Known, 'facts' | 'waiting'>, fact: Fact): Fact[] {
  return [...factsWithout(known, fact), fact]
}
