import {
  type ClaimedLane,
  formatInstant,
  formatInstantOrNull,
  type ReplayCounts,
  type ReplayPage,
  type ReplayRequest,
  type ReplayRow,
  type ReplayScope,
  type StoredReplay,
  type StoredTell,
} from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { transaction } from '../database/transaction.js'
import type { Row } from '../dialects/dialect.js'
import { underFence } from '../lane/fence.js'
import { wakeLanes } from '../lane/wake-lanes.js'
import { lockEvents } from '../retention/blank-events.js'
import { jsonOrNull, microsOrNull, parsed } from '../rows/event-row.js'
import { isReplayed, isUnsettled } from '../schema/partial-indexes.js'
import { insertTells } from '../tell/insert-tells.js'

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
    ...written(row),
    cursor: parsed(row.cursor) as StoredReplay['cursor'],
    counts: parsed(row.counts) as ReplayCounts,
    outstanding: (tells.get(id)?.pending ?? 0) + (deciding.get(id) ?? 0),
  }
}

/** Writes one page of a replay: who is told again, what is decided again, and how far it is. */
export function writeReplayPage(
  database: Database,
  lane: ClaimedLane,
  { id, fresh }: StoredReplay,
  page: ReplayPage,
): Promise<void> {
  const { tables } = database
  return underFence(database, lane, async (trx, { nowUs }) => {
    const { tells, decide, counts, cursor, isLast } = await withoutBlank(database, trx, page)
    const told = [...new Set(tells.map(({ eventId }) => eventId))]
    if (fresh) await forgetSteps(database, trx, tells)
    await trx(tables.events)
      .whereIn('id', told)
      .update({ replays: trx.raw('replays + 1') })
    await wakeLanes(database, trx, await insertTells(database, trx, tells, id))
    await decideAgain(database, trx, decide, id)
    await trx(tables.replays)
      .where({ id })
      .update({
        counts: JSON.stringify(counts),
        cursor: jsonOrNull(cursor),
        finished_us: isLast ? nowUs : null,
      })
  })
}

/** What is left of a page under its events' locks: retention or an erasure may have blanked some since they were read. */
async function withoutBlank(
  database: Database,
  trx: Knex.Transaction,
  page: ReplayPage,
): Promise<ReplayPage> {
  const told = new Set(page.tells.map(({ eventId }) => eventId))
  const ids = [...told, ...page.decide.map(({ eventId }) => eventId)]
  const locked = await lockEvents(database, trx, ids)
  const isThere = new Set(locked.map(row => row.id as string))
  const tells = page.tells.filter(({ eventId }) => isThere.has(eventId))
  const decide = page.decide.filter(({ eventId }) => isThere.has(eventId))
  const lost = {
    told: [...told].filter(eventId => !isThere.has(eventId)).length,
    decided: page.decide.length - decide.length,
  }
  const counts = {
    ...page.counts,
    told: page.counts.told - lost.told,
    decided: page.counts.decided - lost.decided,
    leftOut: page.counts.leftOut + lost.told + lost.decided,
    tells: page.counts.tells - (page.tells.length - tells.length),
  }
  return { ...page, tells, decide, counts }
}

/** Finished steps run again. */
async function forgetSteps(
  { tables }: Database,
  trx: Knex.Transaction,
  tells: ReplayPage['tells'],
): Promise<void> {
  const subscribers = new Set(tells.map(({ subscriber }) => subscriber))
  for (const subscriber of subscribers)
    await trx(tables.steps)
      .where({ subscriber })
      .whereIn(
        'event_id',
        tells.filter(tell => tell.subscriber === subscriber).map(({ eventId }) => eventId),
      )
      .delete()
}

/** Pending as if they came now; only what was never settled is also fetched anew. */
async function decideAgain(
  database: Database,
  trx: Knex.Transaction,
  decide: ReplayPage['decide'],
  replay: string,
): Promise<void> {
  const { tables } = database
  for (const wasSettled of [true, false]) {
    const ids = decide.filter(one => one.wasSettled === wasSettled).map(({ eventId }) => eventId)
    const events = () => trx(tables.events).whereIn('id', ids).whereIn('status', ['settled', 'dead'])
    const lanes: Row[] = await events().distinct('lane')
    await events().update({
      status: 'pending',
      outcome: null,
      reason: null,
      attempts: 0,
      last_error: null,
      due_us: 0,
      finished_us: null,
      replay,
      replays: trx.raw('replays + 1'),
      ...(wasSettled ? {} : { snapshot: null }),
    })
    await wakeLanes(
      database,
      trx,
      lanes.map(({ lane }) => ({ lane: lane as string, kind: 'settle', subscriber: '', afterMs: 0 })),
    )
  }
}

/** Takes back a tell that was overtaken before it ran. */
export function leaveOut(
  database: Database,
  lane: ClaimedLane,
  { eventId: event_id, subscriber, replay }: StoredTell,
): Promise<void> {
  const { tables } = database
  return underFence(database, lane, async trx => {
    const row = { event_id, subscriber, replay, status: 'pending' }
    // Counted first: not every driver says how many a DELETE took.
    const left = (await trx(tables.tells).select('event_id').where(row)).length
    await trx(tables.tells).where(row).delete()
    await trx(tables.replays)
      .where({ id: replay })
      .update({ left_late: trx.raw('left_late + ?', [left]) })
  })
}

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
  const { scope, ...request } = written(row)
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
    finishedAt: formatInstantOrNull(microsOrNull(row.finished_us)),
    scope: { events: scope.events, blank: scope.blank },
    counts: { ...counts, tells: counts.tells - late, overtaken: counts.overtaken + late },
    done: seen - pendingEvents - undecided,
    tells: standing,
  }
}

function written(row: Row): ReplayRequest & { scope: ReplayScope } {
  const { request, scope } = parsed(row.filter) as { request: ReplayRequest; scope: ReplayScope }
  return { ...request, scope }
}

interface Outstanding {
  tells: Map<string, ReplayRow['tells'] & { pendingEvents: number }>
  deciding: Map<string, number>
}

const noTells = { pending: 0, done: 0, dead: 0, pendingEvents: 0 }

/** What of each replay is still to run, and how the rest of it ended. */
async function outstandingOf({ knex, tables }: Database, ids: string[]): Promise<Outstanding> {
  const told: Row[] = await knex(tables.tells)
    .select('replay', 'status')
    .count('* as tells')
    .countDistinct('event_id as events')
    .whereIn('replay', ids)
    .whereRaw(isReplayed)
    .groupBy('replay', 'status')
  const tells: Outstanding['tells'] = new Map()
  for (const { replay, status, tells: count, events } of told) {
    const one = { ...(tells.get(replay as string) ?? noTells), [status as string]: Number(count) }
    tells.set(replay as string, status === 'pending' ? { ...one, pendingEvents: Number(events) } : one)
  }
  const undecided: Row[] = await knex(tables.events)
    .select('replay')
    .count('* as events')
    .where({ status: 'pending' })
    .whereRaw(isUnsettled)
    .whereIn('replay', ids)
    .groupBy('replay')
  return {
    tells,
    deciding: new Map(undecided.map(row => [row.replay as string, Number(row.events)])),
  }
}

/** What the replays of these ids were asked to do. */
export async function replayRequests(
  { knex, tables }: Database,
  ids: string[],
): Promise<Map<string, ReplayRequest>> {
  if (ids.length === 0) return new Map()
  const rows: Row[] = await knex(tables.replays).select('id', 'filter').whereIn('id', ids)
  return new Map(rows.map(row => [row.id as string, written(row)]))
}
