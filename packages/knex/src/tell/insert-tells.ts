import type { NewTell } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { insertMissing } from '../database/insert-missing.js'
import type { Wakened } from '../lane/wake-lanes.js'

/** Writes tells of the first telling (`''`) or of a replay, and returns the lanes to be woken for them. One that is there already is not written twice. */
export async function insertTells(
  database: Database,
  trx: Knex.Transaction,
  tells: NewTell[],
  replay: string,
): Promise<Wakened[]> {
  const rows = tells.map(({ eventId, subscriber, lane }) => ({
    event_id: eventId,
    subscriber,
    replay,
    lane,
    status: 'pending',
  }))
  await insertMissing(database, trx, database.tables.tells, ['event_id', 'subscriber', 'replay'], rows)
  return tells.map(({ lane, subscriber }) => ({ lane, kind: 'tell', subscriber, afterMs: 0 }))
}
