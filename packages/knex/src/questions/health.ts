import type { Backlog, Health } from '@booking-webhooks/core'
import { type Database, idleUs } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { instantOrNull, microsOrNull } from '../rows/event-row.js'
import { schemaState } from '../schema/migrate.js'
import { isUnsettled, isUntold } from '../schema/partial-indexes.js'

/** A subscriber is seen each minute; five missed ones are no coincidence. In microseconds. */
export const unseenUs = 5 * 60_000_000

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

/** A process has these subscribers now. */
export async function subscribersSeen(
  { knex, tables, nowUs }: Database,
  subscribers: string[],
): Promise<void> {
  await knex(tables.subscribers)
    .whereIn('name', subscribers)
    .update({ seen_us: knex.raw(nowUs()) })
}

/** The database answered at some moment between asking and hearing: the middle is wrong by at most half of that. */
async function clock({ knex, dialect, nowUs }: Database): Promise<{ nowUs: number; aheadMs: number }> {
  const askedMs = Date.now()
  const [row] = dialect.rows(await knex.raw(`SELECT ${nowUs()} as now_us`))
  const databaseUs = Number(row?.now_us)
  return { nowUs: databaseUs, aheadMs: Math.round((askedMs + Date.now()) / 2 - databaseUs / 1000) }
}

async function eventBacklog({ knex, tables }: Database, nowUs: number): Promise<Backlog> {
  const [row] = await knex(tables.events)
    .count('* as pending')
    .select(knex.raw('min(case when replay is null then received_us end) as oldest_us'))
    .where({ status: 'pending' })
    .whereRaw(isUnsettled)
    .where('due_us', '<=', nowUs)
  return backlog(row, nowUs)
}

async function tellBacklog({ knex, tables }: Database, nowUs: number): Promise<Backlog> {
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

function countEvents({ knex, tables }: Database, status: 'waiting' | 'dead'): Promise<number> {
  return count(knex(tables.events).where({ status }).whereRaw(isUnsettled).whereNot('origin', 'look'))
}

/** As in the ledger: a dead letter that was replayed is one no more. */
function deadTells({ knex, tables }: Database): Promise<number> {
  return count(
    knex(`${tables.tells} as t`)
      .where('t.status', 'dead')
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

async function unseenSubscribers({ knex, tables }: Database, nowUs: number): Promise<Health['unseen']> {
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

async function replaysRunning({ knex, tables }: Database): Promise<number> {
  const told = knex(`${tables.tells} as t`)
    .select('t.replay')
    .where('t.status', 'pending')
    .whereRaw(`t.${isUntold}`)
    .whereRaw('t.replay = r.id')
  const decided = knex(`${tables.events} as e`)
    .select('e.replay')
    .where('e.status', 'pending')
    .whereRaw(`e.${isUnsettled}`)
    .whereRaw('e.replay = r.id')
  return count(
    knex(`${tables.replays} as r`).where(any =>
      any.whereNull('r.finished_us').orWhereExists(told).orWhereExists(decided),
    ),
  )
}

async function count(query: { count(column: string): PromiseLike<unknown> }): Promise<number> {
  const [row] = (await query.count('* as counted')) as { counted: unknown }[]
  return Number(row?.counted ?? 0)
}
