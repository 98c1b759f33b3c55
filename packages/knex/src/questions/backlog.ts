import type { Backlog } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { microsOrNull } from '../rows/event-row.js'
import { isUnsettled, isUntold } from '../schema/partial-indexes.js'

/** The events that are to be decided now; `nowUs` is the database's clock. */
export async function eventBacklog({ knex, tables }: Database, nowUs: number): Promise<Backlog> {
  const [row] = await knex(tables.events)
    .count('* as pending')
    .select(knex.raw('min(case when replay is null then received_us end) as oldest_us'))
    .where({ status: 'pending' })
    .whereRaw(isUnsettled)
    .where('due_us', '<=', nowUs)
  return backlog(row, nowUs)
}

/** The callbacks that are to run, also those in the back-off. */
export async function tellBacklog({ knex, tables }: Database, nowUs: number): Promise<Backlog> {
  const [row] = await knex(tables.tells)
    .count('* as pending')
    .select(knex.raw("min(case when replay = '' then sequence end) as oldest"))
    .where({ status: 'pending' })
    .whereRaw(isUntold)
  const oldest = await knex(`${tables.tells} as t`)
    .join(`${tables.events} as e`, 'e.id', 't.event_id')
    .select('e.finished_us as oldest_us')
    .where('t.sequence', row?.oldest ?? -1)
  return backlog({ pending: row?.pending, oldest_us: oldest[0]?.oldest_us }, nowUs)
}

function backlog(row: Row | undefined, nowUs: number): Backlog {
  const oldestUs = microsOrNull(row?.oldest_us)
  return {
    pending: Number(row?.pending ?? 0),
    oldestMs: oldestUs === null ? null : Math.max(0, Math.round((nowUs - oldestUs) / 1000)),
  }
}
