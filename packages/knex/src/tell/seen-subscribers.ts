import type { Health } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { instantOrNull } from '../rows/event-row.js'
import { isUntold } from '../schema/partial-indexes.js'

/** A subscriber is seen each minute; five missed ones are no coincidence. In microseconds. */
export const unseenUs = 5 * 60_000_000

/** A process has these subscribers now. */
export async function subscribersSeen(
  { knex, tables, nowUs }: Database,
  subscribers: string[],
): Promise<void> {
  await knex(tables.subscribers)
    .whereIn('name', subscribers)
    .update({ seen_us: knex.raw(nowUs()) })
}

/** Subscribers with callbacks to run that no process has. */
export async function unseenSubscribers(
  { knex, tables }: Database,
  nowUs: number,
): Promise<Health['unseen']> {
  const rows: Row[] = await knex(`${tables.tells} as t`)
    .leftJoin(`${tables.subscribers} as s`, 's.name', 't.subscriber')
    .select('t.subscriber', 's.seen_us')
    .count('* as pending')
    .where('t.status', 'pending')
    .whereRaw(`t.${isUntold}`)
    .where(any => any.whereNull('s.seen_us').orWhere('s.seen_us', '<', nowUs - unseenUs))
    .groupBy('t.subscriber', 's.seen_us')
    .orderBy('t.subscriber')
  return rows.map(row => ({
    subscriber: row.subscriber as string,
    pending: Number(row.pending),
    lastSeenAt: instantOrNull(row.seen_us),
  }))
}
