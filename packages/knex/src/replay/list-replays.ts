import { formatInstant, type ReplayCounts, type ReplayRow } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { instantOrNull, parsed } from '../rows/event-row.js'
import { noTells, type Outstanding, outstandingOf } from './outstanding.js'
import { requestedIn } from './replays.js'

/** The replays and how far they are, newest first. */
export async function listReplays(
  database: Database,
  { id, limit }: { id?: string; limit: number },
): Promise<ReplayRow[]> {
  const { knex, tables } = database
  const query = knex(tables.replays).orderBy('requested_us', 'desc').limit(limit)
  const rows: Row[] = await (id === undefined ? query : query.where({ id }))
  const outstanding = await outstandingOf(
    database,
    rows.map(row => row.id as string),
  )
  return rows.map(row => replayRow(row, outstanding))
}

function replayRow(row: Row, { tells, deciding }: Outstanding): ReplayRow {
  const id = row.id as string
  const { scope, ...request } = requestedIn(row)
  const counts = parsed(row.counts) as ReplayCounts
  const { pendingEvents, ...standing } = tells.get(id) ?? noTells
  const seen = counts.told + counts.decided + counts.overtaken + counts.leftOut
  const undecided = deciding.get(id) ?? 0
  const late = Number(row.left_late)
  return {
    id,
    ...request,
    state: row.finished_us !== null && standing.pending + undecided === 0 ? 'done' : 'running',
    requestedAt: formatInstant(Number(row.requested_us)),
    finishedAt: instantOrNull(row.finished_us),
    scope: { events: scope.events, blank: scope.blank },
    counts: { ...counts, tells: counts.tells - late, overtaken: counts.overtaken + late },
    done: seen - pendingEvents - undecided,
    tells: standing,
  }
}
