/**
 * The sizes of the INSERTs in a statement for this many rows, the largest first: powers of two, each of which takes part where the count
 * has that bit. So one statement serves all counts up to the next power, and can stay prepared.
 */
export function portionsFor(count: number): number[] {
  const portions: number[] = []
  for (let size = 1; size <= count; size *= 2) portions.unshift(size)
  return portions
}

/** The values of all rows, one portion after another; nulls for a portion that takes no part. */
export function portioned<Value>(portions: number[], rows: Value[][]): (Value | null)[] {
  const width = rows[0]?.length ?? 0
  const values: (Value | null)[] = []
  let at = 0
  for (const size of portions)
    if (rows.length & size) for (const end = at + size; at < end; at++) values.push(...(rows[at] as Value[]))
    else for (let left = size * width; left > 0; left--) values.push(null)
  return values
}
