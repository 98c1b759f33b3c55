import type { AlertRule, StoredTell, Streak, TellResult } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { anyOf } from '../database/any-of.js'
import { cleanText } from '../database/clean-text.js'
import type { Database } from '../database/database.js'
import { countResults } from './streaks.js'
import { tellRow } from './tell-key.js'

/** How a run ended, and what its subscriber's failures call for. */
export interface Ended {
  tell: StoredTell
  result: TellResult
  rule: AlertRule | undefined
}

/** Writes how runs ended, and counts them for their subscribers. */
export async function endAttempts(
  database: Database,
  trx: Knex.Transaction,
  ends: Ended[],
): Promise<Streak[]> {
  const { tables, nowUs } = database
  const row = (some: Ended[]) => trx(tables.tells).where(anyOf(some.map(({ tell }) => tellRow(tell))))
  const done = ends.filter(({ result }) => result.is === 'done')
  if (done.length > 0) await row(done).update({ status: 'done', finished_us: trx.raw(nowUs()) })
  for (const end of ends) {
    const { result } = end
    if (result.is === 'done') continue
    const isFailed = result.is === 'failed'
    await row([end]).update({
      status: isFailed ? 'pending' : result.is,
      finished_us: isFailed ? null : trx.raw(nowUs()),
      last_error: cleanText(result.error),
    })
  }
  return countResults(
    database,
    trx,
    ends.map(({ tell, result, rule }) => ({
      subject: `subscriber:${tell.subscriber}`,
      failures: result.is === 'done' ? 0 : 1,
      rule,
    })),
  )
}
