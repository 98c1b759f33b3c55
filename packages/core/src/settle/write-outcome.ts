import type { StoredEvent } from '../inbox/stored-event.js'
import type { Outcome } from '../lifecycle/decision.js'
import type { Settlement, SettleTransaction } from './settle-transaction.js'

/** Settles an event that leaves nothing but its outcome. */
export async function writeOutcome(
  transaction: SettleTransaction,
  row: StoredEvent,
  outcome: Outcome,
  reason: string,
): Promise<void> {
  await transaction.write(outcomeOnly(row, { status: 'settled', outcome, reason }))
}

/** How an event ends, and nothing else: no booking changes, nobody is told. */
export function outcomeOnly(
  row: StoredEvent,
  end: Pick<Settlement['event'], 'status' | 'outcome' | 'reason'>,
): Settlement {
  return {
    event: {
      id: row.id,
      type: row.type,
      bookingId: row.bookingId,
      meetingId: row.meetingId,
      threadId: null,
      occurredUs: row.occurredUs,
      fact: null,
      told: null,
      ...end,
    },
    children: [],
    subjects: [],
    decision: null,
    tells: [],
    laneJoins: [],
  }
}
