import {
  type AlertRule,
  type BookingEvent,
  type ClaimedLane,
  doNotRetry,
  type StoredTell,
  type Streak,
  type TellResult,
} from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { cleanText } from './clean-text.js'
import type { Database } from './database.js'
import type { Row } from './dialect.js'
import { parsed } from './event-row.js'
import { fitting } from './pending-events.js'
import { replayRequests } from './replays.js'
import { countResult } from './streaks.js'
import { requireFence, transaction, underFence, underFenceUnflushed } from './transaction.js'

/** The lane's pending tells, in the order in which they were written; none while the lane waits after another. */
export async function pendingTells(
  database: Database,
  lane: ClaimedLane,
  limit: number,
): Promise<StoredTell[]> {
  const { knex, tables } = database
  const rows: Row[] = await knex(`${tables.tells} as t`)
    .join(`${tables.events} as e`, 'e.id', 't.event_id')
    .join(`${tables.lanes} as l`, 'l.lane', 't.lane')
    .select('t.event_id', 't.subscriber', 't.replay', 't.attempts', knex.raw('length(e.told) as bytes'))
    .where({ 't.lane': lane.key, 't.status': 'pending' })
    .whereNull('l.after_lane')
    .orderBy('t.sequence')
    .limit(limit)
  const few = fitting(rows)
  const told = await toldEvents(database, few)
  const replays = await replayRequests(
    database,
    [...new Set(few.map(row => row.replay as string))].filter(replay => replay !== ''),
  )
  return few.map(row => ({
    eventId: row.event_id as string,
    subscriber: row.subscriber as string,
    replay: row.replay as string,
    attempts: Number(row.attempts),
    ...(told.get(row.event_id as string) as Pick<StoredTell, 'event' | 'deliveredIn'>),
    isOvertakenToo: replays.get(row.replay as string)?.overtaken ?? false,
  }))
}

async function toldEvents(
  { knex, tables }: Database,
  tells: Row[],
): Promise<Map<string, Pick<StoredTell, 'event' | 'deliveredIn'>>> {
  const rows = await knex(tables.events)
    .select('id', 'told', 'headers')
    .whereIn(
      'id',
      tells.map(row => row.event_id as string),
    )
  return new Map(
    rows.map(row => {
      const headers = parsed(row.headers) as Record<string, string> | null
      return [row.id, { event: parsed(row.told) as BookingEvent, deliveredIn: headers?.traceparent ?? null }]
    }),
  )
}

/** Counts an attempt before it runs, so that one that kills the process is counted too; null where there is nothing left to tell. */
export function beginAttempt(
  database: Database,
  lane: ClaimedLane,
  tell: StoredTell,
): Promise<number | null> {
  return underFence(database, lane, async trx => {
    const row = () => trx(database.tables.tells).where({ ...keyOf(tell), status: 'pending' })
    const changed = await row().update({ attempts: trx.raw('attempts + 1') })
    return changed === 0 ? null : Number((await row().select('attempts'))[0].attempts)
  })
}

/** Writes how the run ended, and counts it for the subscriber. Where the power takes that back, the tell runs again: it may, at least once. */
export function endAttempt(
  database: Database,
  lane: ClaimedLane,
  tell: StoredTell,
  result: TellResult,
  rule?: AlertRule,
): Promise<Streak> {
  return underFenceUnflushed(database, lane, trx => finishRun(database, trx, tell, result, rule))
}

/**
 * Runs the callback within the transaction that writes it down as done. The lane's row is locked last: locked first, it would keep everybody
 * waiting who has something new for the lane, for as long as the callback takes.
 */
export async function tellWithin(
  database: Database,
  lane: ClaimedLane,
  tell: StoredTell,
  work: (trx: Knex.Transaction) => Promise<void>,
  rule?: AlertRule,
): Promise<Streak> {
  const streak: Streak | undefined = await transaction(database, async trx => {
    await work(trx)
    const ended = await finishRun(database, trx, tell, { is: 'done' }, rule)
    await requireFence(database, trx, lane)
    return ended
  })
  // Knex resolves with nothing where the callback has ended the transaction.
  if (!streak)
    throw doNotRetry(
      'The callback ended its transaction. Leave commit and rollback to the inbox: throw to undo what it wrote.',
    )
  return streak
}

async function finishRun(
  database: Database,
  trx: Knex.Transaction,
  tell: StoredTell,
  result: TellResult,
  rule: AlertRule | undefined,
): Promise<Streak> {
  await trx(database.tables.tells)
    .where(keyOf(tell))
    .update({
      status: result.is === 'failed' ? 'pending' : result.is,
      finished_us: result.is === 'failed' ? null : trx.raw(database.nowUs()),
      ...(result.is === 'done' ? {} : { last_error: cleanText(result.error) }),
    })
  return countResult(database, trx, `subscriber:${tell.subscriber}`, result.is === 'done' ? 0 : 1, rule)
}

function keyOf({ eventId, subscriber, replay }: StoredTell): Row {
  return { event_id: eventId, subscriber, replay }
}
