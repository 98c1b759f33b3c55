import type { Interpreted, Snapshot } from '../adapter/adapter.js'
import type { ClaimedLane } from '../inbox/lane.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import type { Outcome } from '../lifecycle/decision.js'
import type { Deciding } from './deciding.js'
import { eventFound, lookEvent } from './further-event.js'
import { type Aftermath, inTransaction } from './in-transaction.js'
import { interpretEvent } from './interpret-event.js'
import { settleFact } from './settle-fact.js'
import { settleNotice } from './settle-notice.js'
import type { SettleTransaction } from './settle-transaction.js'
import { outcomeOnly, writeOutcome } from './write-outcome.js'

/**
 * Settles one event in one transaction: interpret, fold, decide, write. Safe to repeat: a settled event is left alone.
 * True where a part of it had come by itself and waits in another lane: whoever holds that lane may be deciding it just now.
 */
export async function settleEvent(
  lane: ClaimedLane,
  event: StoredEvent,
  snapshot: Snapshot | null,
  deciding: Deciding,
): Promise<boolean> {
  const connectedUs = await deciding.connectedUs(event.provider, event.account, event.receivedUs)
  return await inTransaction(lane, event, deciding, async (transaction, after) => {
    const row = await transaction.event(event.id)
    if (row?.status !== 'pending') return false
    const found = await interpretEvent(transaction, row, snapshot, connectedUs, deciding)
    // Only what pokes find is compared with the last answer; others would keep a whole series with each of its bookings.
    const compared = row.origin === 'poke' ? snapshot : null
    const told: string[] = []
    let isLeft = false
    for (const one of found) {
      const isOwn = one.key === row.dedupeKey
      const target = isOwn ? row : await transaction.addEvent(eventFound(row, one), true)
      if (!isOwn) told.push(target.id)
      if (target.status !== 'pending') continue
      if (target.lane !== row.lane) isLeft = true
      else await settleInterpreted(transaction, target, one, compared, after, deciding)
    }
    if (!found.some(one => one.key === row.dedupeKey))
      await writeOutcome(
        transaction,
        row,
        'unchanged',
        told.length ? `It is told as ${told.join(', ')}.` : 'It found nothing new.',
      )
    return isLeft
  })
}

/** Settles an event without deciding it: a dead letter of the fetch, a second look that was not needed. */
export async function giveUp(
  lane: ClaimedLane,
  event: StoredEvent,
  end: { status: 'settled' | 'dead'; outcome: Outcome | null; reason: string },
  deciding: Omit<Deciding, 'adapter'>,
): Promise<void> {
  await inTransaction(lane, event, deciding, async (transaction, after) => {
    const row = await transaction.event(event.id)
    if (row?.status !== 'pending') return
    await transaction.write(outcomeOnly(row, end))
    if (end.status === 'dead')
      after.lines.push({
        message: 'dead',
        fields: { event: row.id, booking: row.bookingId, reason: end.reason },
      })
  })
}

async function settleInterpreted(
  transaction: SettleTransaction,
  row: StoredEvent,
  one: Interpreted,
  snapshot: Snapshot | null,
  after: Aftermath,
  deciding: Deciding,
): Promise<void> {
  if ('unreadable' in one) {
    await writeOutcome(transaction, row, 'unreadable', one.unreadable)
    if (one.look) await transaction.addEvent(lookEvent(row, one.look), false)
    after.lines.push({ message: 'unreadable', fields: { event: row.id, reason: one.unreadable } })
  } else if ('unchanged' in one) {
    await writeOutcome(transaction, row, 'unchanged', one.unchanged)
  } else if ('type' in one) {
    await settleNotice(transaction, row, one, after)
  } else {
    await settleFact(transaction, row, one, snapshot, after, deciding)
  }
}
