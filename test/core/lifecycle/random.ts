/** Whole numbers below a bound, the same for the same seed: what fast-check cannot draw because a run decides how many it needs. */
export type Random = (below: number) => number

/** A 32-bit xorshift generator. */
export function randomFrom(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1
  return below => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
}

/** In any order. */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const other = random(last + 1)
    ;[result[last], result[other]] = [result[other]!, result[last]!]
  }
  return result
}

/** Every order of a few items. */
export function* permutations<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length === 0) yield []
  for (const [index, item] of items.entries())
    for (const rest of permutations(items.filter((_, other) => other !== index))) yield [item, ...rest]
}
