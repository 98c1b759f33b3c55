import type { StoredEvent } from '../inbox/stored-event.js'
import type { Decision, Known } from '../lifecycle/decision.js'
import type { Fact } from '../lifecycle/fact.js'
import type { SettleTransaction } from './settle-transaction.js'

/** What `lockThread` returns. */
export type Thread = Pick<Known, 'facts' | 'bookings' | 'waiting'>

/** Locks the slots and reads who else is in these meetings: the last things to be known before deciding. */
export async function lockSlots(
  transaction: SettleTransaction,
  { provider, account }: StoredEvent,
  thread: Thread,
  slots: Decision['free'],
  fact: Fact,
): Promise<Known> {
  const held = await transaction.lockSlots(slots)
  const meetings = new Set<string>()
  for (const booking of thread.bookings) if (booking.meetingId !== null) meetings.add(booking.meetingId)
  for (const one of [...thread.facts, fact]) if (one.meetingId !== null) meetings.add(one.meetingId)
  const neighbours = await transaction.neighbours(
    provider,
    account,
    [...meetings],
    thread.bookings.map(booking => booking.id),
  )
  return { provider, account, ...thread, slots: held, neighbours, nowUs: transaction.nowUs }
}
