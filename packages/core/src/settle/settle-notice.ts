import type { InterpretedNotice } from '../adapter/adapter.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import { notice, takesType, tellsFor } from './announce.js'
import type { Aftermath } from './in-transaction.js'
import type { SettleTransaction } from './settle-transaction.js'
import { outcomeOnly } from './write-outcome.js'

/** Settles what is about no booking: told to those who take its type. */
export async function settleNotice(
  transaction: SettleTransaction,
  row: StoredEvent,
  one: InterpretedNotice,
  after: Aftermath,
): Promise<void> {
  const subscribers = await transaction.subscribers()
  const occurredUs = one.occurredUs ?? row.receivedUs
  const told = notice(one.type, {
    event: row,
    occurredUs,
    occurredAtSource: one.occurredUs === null ? 'received' : 'provider',
    raw: one.raw,
  })
  const isTaken = subscribers.some(subscriber => takesType(subscriber.takes, one.type))
  const outcome = isTaken ? 'accepted' : 'ignored'
  const reason = isTaken
    ? 'It is about no booking.'
    : 'It is about no booking, and no subscriber takes its type.'
  const settlement = outcomeOnly(row, { status: 'settled', outcome, reason })
  await transaction.write({
    ...settlement,
    event: { ...settlement.event, type: one.type, occurredUs, told: isTaken ? told : null },
    tells: isTaken ? tellsFor(told, subscribers) : [],
  })
  after.lines.push({ message: 'settled', fields: { event: row.id, outcome, reason } })
}
