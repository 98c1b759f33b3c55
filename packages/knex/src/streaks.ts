import type { Streak } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from './database.js'
import { insertMissing } from './insert-missing.js'

/**
 * Counts one more result of a subject (`subscriber:<name>`, `signature:<provider>/<account>`, …).
 * Its row is written only while there are failures, as all successes would queue for it.
 */
export async function countResult(
  database: Database,
  trx: Knex.Transaction,
  subject: string,
  isSuccess: boolean,
): Promise<Streak> {
  const { dialect, tables } = database
  const { streaks } = tables
  const row = () => trx(streaks).select('consecutive_failures', 'streak').where({ subject })
  const before = streakOf((await row())[0])
  if (isSuccess && before.consecutiveFailures === 0) return before
  const none = { subject, consecutive_failures: 0, streak: 0 }
  await insertMissing(database, trx, streaks, ['subject'], [none])
  const locked = streakOf((await dialect.forUpdate(row()))[0])
  const after = isSuccess ? recovered(locked) : failed(locked)
  await trx(streaks)
    .where({ subject })
    .update({ consecutive_failures: after.consecutiveFailures, streak: after.streak })
  return after
}

function recovered({ consecutiveFailures, streak }: Streak): Streak {
  return { consecutiveFailures: 0, endedStreak: consecutiveFailures, streak }
}

function failed({ consecutiveFailures, streak }: Streak): Streak {
  const isFirst = consecutiveFailures === 0
  return {
    consecutiveFailures: consecutiveFailures + 1,
    endedStreak: 0,
    streak: isFirst ? streak + 1 : streak,
  }
}

function streakOf(row: { consecutive_failures: unknown; streak: unknown } | undefined): Streak {
  return {
    consecutiveFailures: Number(row?.consecutive_failures ?? 0),
    endedStreak: 0,
    streak: Number(row?.streak ?? 0),
  }
}
