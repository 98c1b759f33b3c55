import type {
  ClaimedLane,
  ReplayCounts,
  ReplayRequest,
  ReplayScope,
  StoredReplay,
} from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import { transaction } from '../database/transaction.js'
import type { Row } from '../dialects/dialect.js'
import { wakeLanes } from '../lane/wake-lanes.js'
import { parsed } from '../rows/event-row.js'
import { outstandingOf } from './outstanding.js'

/** Writes a replay down with its lane, which is due now. */
export function addReplay(
  database: Database,
  { id, lane, scope, ...request }: ReplayRequest & { id: string; lane: string; scope: ReplayScope },
): Promise<void> {
  const { tables, nowUs } = database
  return transaction(database, async trx => {
    await trx(tables.replays).insert({
      id,
      lane,
      filter: JSON.stringify({ request, scope }),
      counts: JSON.stringify(nothing),
      requested_us: trx.raw(nowUs()),
    })
    await wakeLanes(database, trx, [{ lane, kind: 'replay', subscriber: '', afterMs: 0 }])
  })
}

const nothing: ReplayCounts = { told: 0, decided: 0, overtaken: 0, leftOut: 0, tells: 0 }

/** The replay of a lane with what of it is still to run; null where there is none. */
export async function replayOf(database: Database, lane: ClaimedLane): Promise<StoredReplay | null> {
  const { knex, tables } = database
  const [row]: Row[] = await knex(tables.replays).where({ lane: lane.key }).whereNull('finished_us')
  if (!row) return null
  const id = row.id as string
  const { tells, deciding } = await outstandingOf(database, [id])
  return {
    id,
    ...requestedIn(row),
    cursor: parsed(row.cursor) as StoredReplay['cursor'],
    counts: parsed(row.counts) as ReplayCounts,
    outstanding: (tells.get(id)?.pending ?? 0) + (deciding.get(id) ?? 0),
  }
}

/** What the replays of these ids were asked to do. */
export async function replayRequests(
  { knex, tables }: Database,
  ids: string[],
): Promise<Map<string, ReplayRequest>> {
  if (ids.length === 0) return new Map()
  const rows: Row[] = await knex(tables.replays).select('id', 'filter').whereIn('id', ids)
  return new Map(rows.map(row => [row.id as string, requestedIn(row)]))
}

/** What a row says that its replay was asked to do, and what that meant then. */
export function requestedIn(row: Row): ReplayRequest & { scope: ReplayScope } {
  const { request, scope } = parsed(row.filter) as { request: ReplayRequest; scope: ReplayScope }
  return { ...request, scope }
}
