import type { AskedReplay, ReplayCounts, ReplayRow } from '@booking-webhooks/core'

/** What was asked for, or would be. */
export function askedInWords({ id, scope: { events, blank }, counts }: AskedReplay): string {
  const erased = blank > 0 ? ` ${blank} more were blanked by retention or erasure.` : ''
  if (counts) return `Would replay ${several(events)}: ${countsInWords(counts)}.${erased}`
  if (events === 0) return `No finished event fits: there is nothing to replay.${erased}`
  return `Replay ${id} of ${several(events)} is asked for; a running serve tells them.${erased}`
}

/** How a replay ended. */
export function endedInWords({ id, counts, tells }: ReplayRow): string {
  const dead =
    tells.dead > 0 ? ` ${tells.dead} of its tells ended as dead letters: see booking-webhooks dead.` : ''
  return `Replay ${id} is done: ${countsInWords(counts)}.${dead}`
}

function countsInWords({ told, decided, overtaken, leftOut, tells }: ReplayCounts): string {
  const parts = [
    `${told} told again (${tells} ${tells === 1 ? 'callback' : 'callbacks'})`,
    `${decided} decided again`,
    `${overtaken} overtaken`,
    `${leftOut} left out`,
  ]
  return parts.join(', ')
}

function several(events: number): string {
  return events === 1 ? '1 event' : `${events} events`
}
