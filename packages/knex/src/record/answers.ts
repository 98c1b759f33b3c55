import type { NewEvent, Recorded } from '@booking-webhooks/core'

/** In the order of the request; of repeats within the batch the first one is the new row. */
export function answers(
  events: NewEvent[],
  isNew: ReadonlySet<string>,
  deliveries: ReadonlyMap<string, number>,
): Recorded[] {
  const seen = new Set<string>()
  return events.map(({ id }) => {
    const isFirst = !seen.has(id)
    seen.add(id)
    return { id, isNew: isFirst && isNew.has(id), deliveries: deliveries.get(id) ?? 1 }
  })
}
