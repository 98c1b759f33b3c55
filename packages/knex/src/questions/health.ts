import type { Health } from '@booking-webhooks/core'
import { count } from '../database/count.js'
import { type Database, idleUs } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { schemaState } from '../schema/migrate.js'
import { isUnsettled, isUntold } from '../schema/partial-indexes.js'
import { unseenSubscribers } from '../tell/seen-subscribers.js'
import { eventBacklog, tellBacklog } from './backlog.js'
import { replaysRunning } from './replays-running.js'

/** The numbers that tell whether all is well. Reads what is to be done, not what was ever done. */
export async function health(database: Database): Promise<Health> {
  const { dialect } = database
  const { nowUs, aheadMs } = await clock(database)
  return {
    store: dialect.name,
    schema: await schemaState(database),
    clockAheadMs: aheadMs,
    backlog: { events: await eventBacklog(database, nowUs), tells: await tellBacklog(database, nowUs) },
    waiting: await countEvents(database, 'waiting'),
    dead: { events: await countEvents(database, 'dead'), tells: await deadTells(database) },
    lanesBackingOff: await lanesBackingOff(database, nowUs),
    unseen: await unseenSubscribers(database, nowUs),
    failing: await failing(database),
    alertsToHandOver: await count(database.knex(database.tables.alerts).whereNull('handed_us')),
    replaysRunning: await replaysRunning(database),
    erasuresWaiting: await count(database.knex(database.tables.erasures)),
  }
}

/** The database answered at some moment between asking and hearing: the middle is wrong by at most half of that. */
async function clock({ knex, dialect, nowUs }: Database): Promise<{ nowUs: number; aheadMs: number }> {
  const askedMs = Date.now()
  const [row] = dialect.rows(await knex.raw(`SELECT ${nowUs()} as now_us`))
  const databaseUs = Number(row?.now_us)
  return { nowUs: databaseUs, aheadMs: Math.round((askedMs + Date.now()) / 2 - databaseUs / 1000) }
}

function countEvents({ knex, tables }: Database, status: 'waiting' | 'dead'): Promise<number> {
  return count(
    knex(tables.events).where({ status, is_blank: false }).whereRaw(isUnsettled).whereNot('origin', 'look'),
  )
}

/** As in the ledger: a dead letter that was replayed is one no more, nor is one that was erased. */
function deadTells({ knex, tables }: Database): Promise<number> {
  return count(
    knex(`${tables.tells} as t`)
      .join(`${tables.events} as e`, 'e.id', 't.event_id')
      .where({ 't.status': 'dead', 'e.is_blank': false })
      .whereRaw(`t.${isUntold}`)
      .whereNotExists(
        knex(`${tables.tells} as later`)
          .select('later.event_id')
          .whereRaw(
            'later.event_id = t.event_id and later.subscriber = t.subscriber and later.sequence > t.sequence',
          ),
      ),
  )
}

function lanesBackingOff({ knex, tables }: Database, nowUs: number): Promise<number> {
  return count(
    knex(tables.lanes)
      .whereIn('kind', ['settle', 'tell'])
      .where(any =>
        any.where({ subscriber: '' }).orWhereIn('subscriber', knex(tables.subscribers).select('name')),
      )
      .where('due_us', '>', nowUs)
      .where('due_us', '<', idleUs)
      .where('failures', '>', 0)
      .whereNull('owner'),
  )
}

async function failing({ knex, tables }: Database): Promise<Health['failing']> {
  const rows: Row[] = await knex(tables.streaks)
    .select('subject', 'consecutive_failures')
    .where('consecutive_failures', '>', 0)
    .orderBy('subject')
    .limit(100)
  return rows.map(row => ({
    subject: row.subject as string,
    consecutiveFailures: Number(row.consecutive_failures),
  }))
}
