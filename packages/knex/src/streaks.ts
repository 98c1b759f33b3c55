import type { AlertRule, Streak } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { raiseAlerts } from './alerts.js'
import type { Database } from './database.js'
import { insertMissing } from './insert-missing.js'

type Counted = Omit<Streak, 'isRaised'>

/**
 * Counts further failures of a subject (`subscriber:<name>`, `signature:<provider>/<account>`, …), or a success (0), and raises what that
 * calls for. Its row is written only while there are failures, as all successes would queue for it.
 */
export async function countResult(
  database: Database,
  trx: Knex.Transaction,
  subject: string,
  failures: number,
  rule?: AlertRule,
): Promise<Streak> {
  const { dialect, tables } = database
  const row = () => trx(tables.streaks).select('consecutive_failures', 'streak').where({ subject })
  const before = streakOf((await row())[0])
  if (failures === 0 && before.consecutiveFailures === 0) return { ...before, isRaised: false }
  const none = { subject, consecutive_failures: 0, streak: 0 }
  await insertMissing(database, trx, tables.streaks, ['subject'], [none])
  const locked = streakOf((await dialect.forUpdate(row()))[0])
  const after = failures === 0 ? recovered(locked) : failed(locked, failures)
  await trx(tables.streaks)
    .where({ subject })
    .update({ consecutive_failures: after.consecutiveFailures, streak: after.streak })
  const isRaised =
    rule !== undefined && (await raiseAlerts(database, trx, subject, locked.consecutiveFailures, after, rule))
  return { ...after, isRaised }
}

/** Subjects, no subscribers, that failed the last time. */
export async function failingSubjects({ knex, tables }: Database): Promise<string[]> {
  const rows = await knex(tables.streaks).select('subject').where('consecutive_failures', '>', 0)
  return rows.map(row => row.subject as string).filter(subject => !subject.startsWith('subscriber:'))
}

function recovered({ consecutiveFailures, streak }: Counted): Counted {
  return { consecutiveFailures: 0, endedStreak: consecutiveFailures, streak }
}

function failed({ consecutiveFailures, streak }: Counted, failures: number): Counted {
  const isFirst = consecutiveFailures === 0
  return {
    consecutiveFailures: consecutiveFailures + failures,
    endedStreak: 0,
    streak: isFirst ? streak + 1 : streak,
  }
}

function streakOf(row: { consecutive_failures: unknown; streak: unknown } | undefined): Counted {
  return {
    consecutiveFailures: Number(row?.consecutive_failures ?? 0),
    endedStreak: 0,
    streak: Number(row?.streak ?? 0),
  }
}
