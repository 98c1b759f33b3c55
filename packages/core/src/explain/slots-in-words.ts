import type { ExplainedEvent, SlotName } from './explanation.js'
import { tellMoment } from './moment.js'

/** What an event did to slots. */
export function slotsInWords({ slots, conflictWith }: ExplainedEvent): string[] {
  return slots.flatMap(({ freed, taken, awaited }, index) => [
    ...freed.map(slot => `It gave up ${slotName(slot)}.`),
    ...taken.map(slot => `It took ${slotName(slot)}${index > 0 ? ', which had become free' : ''}.`),
    ...awaited.map(slot => `It waits for ${slotName(slot)}, which ${holders(conflictWith)} held.`),
  ])
}

function slotName({ resource, startsAt }: SlotName): string {
  return `the time of ${resource} at ${tellMoment(startsAt)}`
}

function holders(meetings: string[]): string {
  if (meetings.length === 0) return 'another meeting'
  return `${meetings.length > 1 ? 'meetings' : 'meeting'} ${meetings.join(' and ')}`
}
