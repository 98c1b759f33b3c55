import type { StoredEvent } from '../inbox/stored-event.js'
import type { Decision } from '../lifecycle/decision.js'
import type { Aftermath } from './in-transaction.js'
import type { SettleTransaction } from './settle-transaction.js'

/** Wakes those who wait for what the decision changed, and collects what is logged once it is committed. */
export async function finish(
  transaction: SettleTransaction,
  row: StoredEvent,
  decision: Decision,
  after: Aftermath,
): Promise<void> {
  const { outcome, reason } = decision
  const fields = {
    event: row.id,
    booking: decision.bookingId,
    provider: row.provider,
    account: row.account,
    outcome,
    reason,
  }
  after.lines.push({ message: outcome === 'refused' || outcome === 'conflict' ? outcome : 'settled', fields })
  if (decision.wake.length === 0) return
  const waiters = await transaction.waitersFor(decision.wake)
  await transaction.wake(waiters.map(({ eventId }) => eventId))
}
