import type { StoredTell } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { anyOf } from '../database/any-of.js'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { tellKey, tellKeyColumns, tellName, tellRow } from './tell-key.js'

/** Counts an attempt of each of these tells that is still pending; null for one that is not. */
export async function beginAttempts(
  { dialect, tables }: Database,
  trx: Knex.Transaction,
  begins: { tell: StoredTell }[],
): Promise<(number | null)[]> {
  if (begins.length === 0) return []
  const tells = begins.map(({ tell }) => tell)
  const columns = [...tellKeyColumns, 'attempts']
  const counting = trx(tables.tells)
    .where(anyOf(tells.map(tellRow)))
    .where({ status: 'pending' })
    .update({ attempts: trx.raw('attempts + 1') })
  const counted = () =>
    trx(tables.tells)
      .select(...columns)
      .whereIn([...tellKeyColumns], tells.map(tellKey))
      .where({ status: 'pending' })
  const rows: Row[] = dialect.updateReturns ? await counting.returning(columns) : await counting.then(counted)
  const attempts = new Map(
    rows.map(row => [
      tellName({
        eventId: row.event_id as string,
        subscriber: row.subscriber as string,
        replay: row.replay as string,
      }),
      Number(row.attempts),
    ]),
  )
  return begins.map(({ tell }) => attempts.get(tellName(tell)) ?? null)
}
