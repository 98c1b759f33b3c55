import type { Knex } from 'knex'
import { type Database, idleUs } from '../database/database.js'
import { transaction } from '../database/transaction.js'
import type { Row } from '../dialects/dialect.js'
import { isUnsettled, isUntold } from '../schema/partial-indexes.js'
import { type Wakened, wakeLanes } from './wake-lanes.js'

/** Heals what should not happen, and says how often it had to: idle lanes with work, lanes that wait after an idle one, waits for free slots. */
export function sweep(database: Database): Promise<{ lanes: number; waiting: number }> {
  return transaction(database, async trx => {
    const lanes = [
      ...(await idleWithEvents(database, trx)),
      ...(await idleWithTells(database, trx)),
      ...(await waitingForNobody(database, trx)),
      ...(await idleWithReplay(database, trx)),
    ]
    const waiting = await waitingForFree(database, trx)
    // No fault: nobody gave the slot up before the meeting was over, and so nobody woke them.
    const inVain = await waitingInVain(database, trx)
    await wakeLanes(database, trx, [...lanes, ...waiting, ...inVain])
    return { lanes: lanes.length, waiting: waiting.length }
  })
}

/** As much as one sweep heals; the next one goes on. */
const limit = 1000

async function idleWithEvents({ tables, nowUs }: Database, trx: Knex): Promise<Wakened[]> {
  const rows = await trx(`${tables.events} as e`)
    .leftJoin(`${tables.lanes} as l`, 'l.lane', 'e.lane')
    .distinct('e.lane')
    .where({ 'e.status': 'pending' })
    .whereRaw(`e.${isUnsettled}`)
    .where('e.due_us', '<=', trx.raw(nowUs()))
    .where(builder => builder.whereNull('l.lane').orWhere({ 'l.due_us': idleUs }))
    .limit(limit)
  return rows.map(settleLane)
}

async function idleWithTells({ tables }: Database, trx: Knex): Promise<Wakened[]> {
  const rows = await trx(`${tables.tells} as t`)
    .leftJoin(`${tables.lanes} as l`, 'l.lane', 't.lane')
    .distinct('t.lane', 't.subscriber')
    .where({ 't.status': 'pending' })
    .whereRaw(`t.${isUntold}`)
    .where(builder =>
      builder
        .whereNull('l.lane')
        .orWhere(idle => idle.where({ 'l.due_us': idleUs }).whereNull('l.after_lane')),
    )
    .limit(limit)
  return rows.map(tellLane)
}

/** Lanes whose `after` is idle, gone, or in a circle of one. */
async function waitingForNobody({ tables }: Database, trx: Knex): Promise<Wakened[]> {
  const rows = await trx(`${tables.lanes} as l`)
    .leftJoin(`${tables.lanes} as a`, 'a.lane', 'l.after_lane')
    .select('l.lane', 'l.subscriber')
    // Not IS NOT NULL, for which SQLite takes no index.
    .where('l.after_lane', '>', '')
    .where(builder =>
      builder
        .whereNull('a.lane')
        .orWhere(idle => idle.where({ 'a.due_us': idleUs }).whereNull('a.after_lane')),
    )
    .limit(limit)
  const lanes = rows.map(tellLane)
  await trx(tables.lanes)
    .whereIn(
      'lane',
      lanes.map(({ lane }) => lane),
    )
    .update({ after_lane: null })
  return lanes
}

async function idleWithReplay({ tables }: Database, trx: Knex): Promise<Wakened[]> {
  const rows = await trx(`${tables.replays} as r`)
    .leftJoin(`${tables.lanes} as l`, 'l.lane', 'r.lane')
    .select('r.lane')
    .whereNull('r.finished_us')
    .where(builder => builder.whereNull('l.lane').orWhere({ 'l.due_us': idleUs }))
    .limit(limit)
  return rows.map(row => ({ lane: row.lane, kind: 'replay', subscriber: '', afterMs: 0 }))
}

/**
 * Events that wait although each of their slots is free or their own meeting's, that are not over, and whose lane is not about to look: it is idle, or
 * was removed. A booking without a meeting is its own.
 */
async function waitingForFree({ tables, nowUs }: Database, trx: Knex): Promise<Wakened[]> {
  const rows = await trx(`${tables.waiting} as w`)
    .join(`${tables.events} as e`, 'e.id', 'w.event_id')
    .leftJoin(`${tables.lanes} as l`, 'l.lane', 'e.lane')
    .join(`${tables.bookings} as b`, {
      'b.provider': 'w.provider',
      'b.account': 'w.account',
      'b.booking_id': 'w.booking_id',
    })
    .distinct('e.lane')
    .where({ 'e.status': 'waiting' })
    .whereRaw(`e.${isUnsettled}`)
    .where(builder => builder.whereNull('l.lane').orWhere({ 'l.due_us': idleUs }))
    .where(builder => builder.whereNull('b.ends_us').orWhere('b.ends_us', '>', trx.raw(nowUs())))
    .whereNotExists(
      trx(`${tables.waiting} as wanted`)
        .select('wanted.event_id')
        .join(`${tables.slots} as s`, { 's.resource': 'wanted.resource', 's.starts_us': 'wanted.starts_us' })
        .whereRaw('wanted.event_id = w.event_id')
        .whereRaw(
          'not (s.provider = w.provider and s.account = w.account and s.meeting_id = coalesce(b.meeting_id, b.booking_id))',
        ),
    )
    .limit(limit)
  return rows.map(settleLane)
}

/** Events whose bookings ended, by the clock, while they waited. */
async function waitingInVain({ tables, nowUs }: Database, trx: Knex): Promise<Wakened[]> {
  const rows = await trx(`${tables.waiting} as w`)
    .join(`${tables.events} as e`, 'e.id', 'w.event_id')
    .join(`${tables.bookings} as b`, {
      'b.provider': 'w.provider',
      'b.account': 'w.account',
      'b.booking_id': 'w.booking_id',
    })
    .distinct('e.lane')
    .where({ 'e.status': 'waiting' })
    .whereRaw(`coalesce(b.ends_us, b.starts_us) <= ${nowUs()}`)
    .limit(limit)
  return rows.map(settleLane)
}

function settleLane(row: Row): Wakened {
  return { lane: row.lane as string, kind: 'settle', subscriber: '', afterMs: 0 }
}

function tellLane(row: Row): Wakened {
  return { lane: row.lane as string, kind: 'tell', subscriber: row.subscriber as string, afterMs: 0 }
}
