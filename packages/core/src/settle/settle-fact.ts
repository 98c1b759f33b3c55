import type { InterpretedFact, Snapshot } from '../adapter/adapter.js'
import type { Micros } from '../event/instant.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import { decide } from '../lifecycle/decide.js'
import type { Known } from '../lifecycle/decision.js'
import type { Fact } from '../lifecycle/fact.js'
import { slotsConcerned } from '../lifecycle/slots-concerned.js'
import { subjectsOf } from '../lifecycle/subject.js'
import type { Source } from './announce.js'
import type { Deciding } from './deciding.js'
import { finish } from './finish.js'
import { lookEvent } from './further-event.js'
import type { Aftermath } from './in-transaction.js'
import { lockSlots, type Thread } from './lock-slots.js'
import { ResourcesError, resourcesOf } from './resources-of.js'
import type { SettleTransaction } from './settle-transaction.js'
import { settlement } from './settlement.js'

/** Settles what is about bookings: folds it into its thread, decides, and writes what that comes to. */
export async function settleFact(
  transaction: SettleTransaction,
  row: StoredEvent,
  one: InterpretedFact,
  snapshot: Snapshot | null,
  after: Aftermath,
  deciding: Deciding,
): Promise<void> {
  const { provider, account } = row
  // A fact that is decided again may have been about others before: all of them are folded without what it was.
  const subjects = [...new Set([...subjectsOf(one.fact), ...(row.fact ? subjectsOf(row.fact) : [])])].sort()
  const thread = withoutFact(await transaction.lockThread(provider, account, subjects), row.fact)
  const fact: Fact = {
    ...one.fact,
    key: one.key,
    // Decided again, it keeps its place in the order.
    occurredUs: one.fact.occurredUs ?? row.fact?.occurredUs ?? arrival(row, thread.bookings),
    resources: resources(row, one.fact, after, deciding),
  }
  const known = await lockSlots(transaction, row, thread, slotsConcerned(thread, fact), fact)
  const decision = decide(known, fact, { slots: deciding.slots })
  const source: Source = {
    event: row,
    occurredUs: fact.occurredUs,
    occurredAtSource: one.fact.occurredUs === null ? 'received' : 'provider',
    raw: one.raw,
  }
  // What was settled before has been compared with later answers since.
  if (snapshot !== null && row.fact === null && fact.target.kind === 'booking') {
    const id = fact.target.id
    if (decision.outcome !== 'refused')
      decision.bookings = decision.bookings.map(booking =>
        booking.id === id ? { ...booking, snapshot } : booking,
      )
  }
  await transaction.write(settlement(row, fact, decision, source, await transaction.subscribers()))
  if (one.look) await transaction.addEvent(lookEvent(row, one.look), false)
  await finish(transaction, row, decision, after)
}

function withoutFact(thread: Thread, old: Fact | null): Thread {
  return old === null ? thread : { ...thread, facts: thread.facts.filter(fact => fact.key !== old.key) }
}

/** Where the provider sends no time: the time of arrival, but after all that is known of the booking (rule 2). */
function arrival(row: StoredEvent, bookings: Known['bookings']): Micros {
  return Math.max(row.receivedUs, ...bookings.map(booking => booking.lastOccurredUs + 1))
}

/** One that is decided again keeps what it was given the first time where the option fails now. */
function resources(
  row: StoredEvent,
  fact: InterpretedFact['fact'],
  after: Aftermath,
  deciding: Deciding,
): string[] | null {
  try {
    return resourcesOf(row, fact, deciding)
  } catch (error) {
    if (row.fact === null || !(error instanceof ResourcesError)) throw error
    after.lines.push({ message: 'resources failed', fields: { event: row.id, reason: error.message } })
    return row.fact.resources
  }
}
