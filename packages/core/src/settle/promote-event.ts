import type { ClaimedLane } from '../inbox/lane.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import { firstInLine, promote } from '../lifecycle/promote.js'
import { slotsConcerned } from '../lifecycle/slots-concerned.js'
import { subjectsOf } from '../lifecycle/subject.js'
import type { Source } from './announce.js'
import type { Deciding } from './deciding.js'
import { finish } from './finish.js'
import { inTransaction } from './in-transaction.js'
import { lockSlots } from './lock-slots.js'
import { settlement } from './settlement.js'

/** How long an older event is given to take its slots before the one that let it go first looks again, in milliseconds. */
const lookAgainMs = 250

/**
 * Looks again at an event that waits for its slots: takes them where they are free, and it is told. Null, or after how many
 * milliseconds to look once more: an older one is to go first, and may turn out not to be able to.
 */
export async function promoteEvent(
  lane: ClaimedLane,
  event: StoredEvent,
  deciding: Pick<Deciding, 'store' | 'log' | 'worked' | 'slots' | 'observer'>,
): Promise<number | null> {
  return await inTransaction(lane, event, deciding, async (transaction, after) => {
    const row = await transaction.event(event.id)
    if (row?.status !== 'waiting' || row.fact === null) return null
    const { fact } = row
    const thread = await transaction.lockThread(row.provider, row.account, subjectsOf(fact))
    const waiting = thread.waiting.find(one => one.eventId === row.id)
    if (!waiting) return null
    const wanted = [...slotsConcerned(thread, fact), ...waiting.slots]
    const rivals = await transaction.waitersFor(waiting.slots)
    const known = await lockSlots(
      transaction,
      row,
      thread,
      [...wanted, ...rivals.flatMap(one => one.slots)],
      fact,
    )
    // Read again under the locks: whoever joined meanwhile held one of these slots' locks, and is seen now.
    const others = await transaction.waitersFor(waiting.slots)
    const decision = promote(known, waiting, others)
    if (decision === null) {
      const first = firstInLine(known, waiting, others)
      if (first) await transaction.wake([first.eventId])
      return first && lookAgainMs
    }
    const source: Source = {
      event: row,
      occurredUs: fact.occurredUs,
      occurredAtSource: row.told?.occurredAtSource ?? 'provider',
      raw: row.told?.raw ?? null,
    }
    await transaction.write(settlement(row, fact, decision, source, await transaction.subscribers()))
    await finish(transaction, row, decision, after)
    return null
  })
}
