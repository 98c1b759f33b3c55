import type { ExplainedEvent } from './explanation.js'

/** A chain's other name, from an event on. */
export interface Renaming {
  from: string
  to: string
}

/**
 * The events, by id, that brought a chain another name: its oldest booking known turned out to replace one that is older. By the order in which
 * events were settled, which is not that of their arrival where they came at once.
 */
export function renamings(events: readonly ExplainedEvent[]): Map<string, Renaming> {
  const renamed = new Map<string, Renaming>()
  const old = new Set<string>()
  const earlier: ExplainedEvent[] = []
  for (const event of settledInOrder(events)) {
    const { threadId: to } = event
    const from = earlier.find(
      other => isOfSameChain(other, event) && !old.has(other.threadId ?? ''),
    )?.threadId
    if (from && to) {
      old.add(from)
      renamed.set(event.id, { from, to })
    }
    earlier.push(event)
  }
  return renamed
}

function settledInOrder(events: readonly ExplainedEvent[]): ExplainedEvent[] {
  return events
    .filter(event => event.settledAt !== null && event.threadId !== null)
    .sort((a, b) => ((a.settledAt ?? '') < (b.settledAt ?? '') ? -1 : a.settledAt === b.settledAt ? 0 : 1))
}

/** About one booking, or about the one that gave the chain its name, under two names. */
function isOfSameChain(earlier: ExplainedEvent, { bookingId, threadId }: ExplainedEvent): boolean {
  if (earlier.threadId === threadId || bookingId === null) return false
  return earlier.bookingId === bookingId || earlier.threadId === bookingId
}
