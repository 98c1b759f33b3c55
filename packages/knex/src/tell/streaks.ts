import type { AlertRule, Streak } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { insertMissing } from '../database/insert-missing.js'
import type { Row } from '../dialects/dialect.js'
import { raiseAlerts } from './alerts.js'

type Counted = Omit<Streak, 'isRaised'>

/** A result of a subject (`subscriber:<name>`, `signature:<provider>/<account>`, …). */
export interface SubjectResult {
  subject: string
  /** How many further failures; 0 for a success. */
  failures: number
  rule: AlertRule | undefined
}

/**
 * Counts results, one after another, and raises what they call for. A subject's row is written only while there are failures, as all successes
 * would queue for it.
 */
export async function countResults(
  database: Database,
  trx: Knex.Transaction,
  results: SubjectResult[],
): Promise<Streak[]> {
  if (results.length === 0) return []
  const { dialect, tables } = database
  const subjects = [...new Set(results.map(({ subject }) => subject))].sort()
  const rows = (some: string[]) =>
    trx(tables.streaks)
      .select('subject', 'consecutive_failures', 'streak')
      .whereIn('subject', some)
      .orderBy('subject')
  const before = countedBySubject(await rows(subjects))
  const failing = subjects.filter(
    subject =>
      (before.has(subject) && before.get(subject)?.consecutiveFailures !== 0) ||
      results.some(result => result.subject === subject && result.failures > 0),
  )
  if (failing.length === 0)
    return results.map(({ subject }) => ({ ...(before.get(subject) ?? none), isRaised: false }))
  const missing = failing.map(subject => ({ subject, consecutive_failures: 0, streak: 0 }))
  await insertMissing(database, trx, tables.streaks, ['subject'], missing)
  const now = countedBySubject(await dialect.forUpdate(rows(failing)))
  const streaks: Streak[] = []
  for (const { subject, failures, rule } of results) {
    const last = now.get(subject) ?? before.get(subject) ?? none
    const next = failures === 0 ? recovered(last) : failed(last, failures)
    const isRaised =
      rule !== undefined && (await raiseAlerts(database, trx, subject, last.consecutiveFailures, next, rule))
    streaks.push({ ...next, isRaised })
    if (now.has(subject)) now.set(subject, next)
  }
  for (const [subject, { consecutiveFailures, streak }] of now)
    await trx(tables.streaks).where({ subject }).update({ consecutive_failures: consecutiveFailures, streak })
  return streaks
}

/** `countResults` for one. */
export async function countResult(
  database: Database,
  trx: Knex.Transaction,
  result: SubjectResult,
): Promise<Streak> {
  return (await countResults(database, trx, [result]))[0] as Streak
}

const none: Counted = { consecutiveFailures: 0, endedStreak: 0, streak: 0 }

function countedBySubject(rows: Row[]): Map<string, Counted> {
  return new Map(
    rows.map(row => [
      row.subject as string,
      { consecutiveFailures: Number(row.consecutive_failures), endedStreak: 0, streak: Number(row.streak) },
    ]),
  )
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
