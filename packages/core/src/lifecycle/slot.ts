import type { FoldedBooking, Holder, Slot } from './decision.js'

/** The slots that a booking should hold: one per resource while it is confirmed, else none. */
export function slotsWanted({
  status,
  startsUs,
  resources,
}: Pick<FoldedBooking, 'status' | 'startsUs' | 'resources'>): Slot[] {
  if (status !== 'confirmed' || startsUs === null) return []
  return [...new Set(resources)].sort().map(resource => ({ resource, startsUs }))
}

/** A slot as one text, for sets and maps. */
export function slotKey({ resource, startsUs }: Slot): string {
  return `${startsUs}@${resource}`
}

/** Each slot once, in the order in which they are locked. */
export function distinctSlots(slots: Iterable<Slot>): Slot[] {
  const byKey = new Map<string, Slot>()
  for (const { resource, startsUs } of slots)
    byKey.set(slotKey({ resource, startsUs }), { resource, startsUs })
  return [...byKey.values()].sort(compareSlots)
}

/** The meeting in whose name a booking holds its slots: its own where it shares none. */
export function holderOf(
  { provider, account }: Pick<Holder, 'provider' | 'account'>,
  { id, meetingId }: Pick<FoldedBooking, 'id' | 'meetingId'>,
): Holder {
  return { provider, account, meetingId: meetingId ?? id }
}

export function isSameHolder(a: Holder, b: Holder): boolean {
  return a.meetingId === b.meetingId && a.provider === b.provider && a.account === b.account
}

function compareSlots(a: Slot, b: Slot): number {
  return a.startsUs - b.startsUs || (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : 0)
}
