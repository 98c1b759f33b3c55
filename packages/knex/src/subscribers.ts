import type { RegisteredSubscriber, Streak } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from './database.js'
import { transaction } from './transaction.js'

/** Makes subscribers known to all processes; how they have fared so far is kept. */
export function registerSubscribers(database: Database, subscribers: RegisteredSubscriber[]): Promise<void> {
  const sorted = [...subscribers].sort((a, b) => (a.name < b.name ? -1 : 1))
  return transaction(database, async trx => {
    for (const { name, takes } of sorted)
      await trx(database.tables.subscribers)
        .insert({ name, takes: JSON.stringify(takes) })
        .onConflict('name')
        .merge(['takes'])
  })
}

/** The subscribers of all processes. */
export async function registeredSubscribers({ tables }: Database, db: Knex): Promise<RegisteredSubscriber[]> {
  const rows = await db(tables.subscribers).select('name', 'takes').orderBy('name')
  return rows.map(row => ({ name: row.name, takes: JSON.parse(row.takes) }))
}

/** Counts one more result of a subscriber. The row is written only while there are failures, as all of its tells share it. */
export async function countResult(
  { dialect, tables }: Database,
  trx: Knex.Transaction,
  name: string,
  isSuccess: boolean,
): Promise<Streak> {
  const row = () => trx(tables.subscribers).select('consecutive_failures', 'streak').where({ name })
  const before = streakOf((await row())[0])
  if (isSuccess && before.consecutiveFailures === 0) return before
  const { consecutiveFailures, streak } = streakOf((await dialect.forUpdate(row()))[0])
  const after = isSuccess
    ? { consecutiveFailures: 0, endedStreak: consecutiveFailures, streak }
    : {
        consecutiveFailures: consecutiveFailures + 1,
        endedStreak: 0,
        streak: consecutiveFailures === 0 ? streak + 1 : streak,
      }
  await trx(tables.subscribers)
    .where({ name })
    .update({ consecutive_failures: after.consecutiveFailures, streak: after.streak })
  return after
}

function streakOf(row: { consecutive_failures: unknown; streak: unknown } | undefined): Streak {
  return {
    consecutiveFailures: Number(row?.consecutive_failures ?? 0),
    endedStreak: 0,
    streak: Number(row?.streak ?? 0),
  }
}
