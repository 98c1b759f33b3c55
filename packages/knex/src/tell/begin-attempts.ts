import type { StoredTell } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { anyOf } from '../database/any-of.js'
import type { Database } from '../database/database.js'
import { tellKey, tellKeyColumns, tellName, tellRow } from './tell-key.js'

/** Counts an attempt of each of these tells that is still pending; null for one that is not. */
export async function beginAttempts(
  { tables }: Database,
  trx: Knex.Transaction,
  begins: { tell: StoredTell }[],
): Promise<(number | null)[]> {
  if (begins.length === 0) return []
  const tells = begins.map(({ tell }) => tell)
  await trx(tables.tells)
    .where(anyOf(tells.map(tellRow)))
    .where({ status: 'pending' })
    .update({ attempts: trx.raw('attempts + 1') })
  const rows = await trx(tables.tells)
    .select(...tellKeyColumns, 'attempts')
    .whereIn([...tellKeyColumns], tells.map(tellKey))
    .where({ status: 'pending' })
  const attempts = new Map(
    rows.map(row => [
      tellName({ eventId: row.event_id, subscriber: row.subscriber, replay: row.replay }),
      Number(row.attempts),
    ]),
  )
  return begins.map(({ tell }) => attempts.get(tellName(tell)) ?? null)
}
