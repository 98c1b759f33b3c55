import {
  type AlertRule,
  type ClaimedLane,
  doNotRetry,
  type StoredTell,
  type Streak,
} from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { transaction } from '../database/transaction.js'
import { requireFence } from '../lane/fence.js'
import { endAttempts } from './end-attempts.js'

/**
 * Runs the callback within the transaction that writes it down as done. The lane's row is locked last: locked first, it would keep everybody
 * waiting who has something new for the lane, for as long as the callback takes.
 */
export async function tellWithin(
  database: Database,
  lane: ClaimedLane,
  tell: StoredTell,
  work: (trx: Knex.Transaction) => Promise<void>,
  rule?: AlertRule,
): Promise<Streak> {
  const streak: Streak | undefined = await transaction(database, async trx => {
    await work(trx)
    const [ended] = await endAttempts(database, trx, [{ tell, result: { is: 'done' }, rule }])
    await requireFence(database, trx, lane)
    return ended
  })
  // Knex resolves with nothing where the callback has ended the transaction.
  if (!streak)
    throw doNotRetry(
      'The callback ended its transaction. Leave commit and rollback to the inbox: throw to undo what it wrote.',
    )
  return streak
}
