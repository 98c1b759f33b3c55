import type { ClaimedLane, ReplayPage, StoredReplay } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { underFence } from '../lane/fence.js'
import { wakeLanes } from '../lane/wake-lanes.js'
import { lockEvents } from '../retention/blank-events.js'
import { jsonOrNull } from '../rows/event-row.js'
import { insertTells } from '../tell/insert-tells.js'

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
