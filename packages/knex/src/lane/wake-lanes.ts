import type { LaneKind } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { chunksOf } from '../database/chunks.js'
import { type Database, idleUs } from '../database/database.js'

export interface Wakened {
  lane: string
  kind: LaneKind
  /** `''` for a settle lane. */
  subscriber: string
  /** How much later than now the lane is due, in milliseconds. */
  afterMs: number
}

/**
 * Says that there is work in these lanes, made where they are missing: `wake + 1`, and due where nothing was due. A lane in flight or in
 * back-off is never pulled forward; one that merely waits for a timed look is.
 */
export async function wakeLanes(
  { dialect, tables: { lanes }, nowUs }: Database,
  trx: Knex.Transaction,
  wakened: Wakened[],
): Promise<void> {
  const rows = sortedLanes(wakened).map(({ lane, kind, subscriber, afterMs }) => ({
    lane,
    kind,
    subscriber,
    due_us: trx.raw(`${nowUs()} + ${Math.round(afterMs * 1000)}`),
    // The fence starts at the clock, so that a lane that is made again never gives out a fence twice.
    fence: trx.raw(nowUs()),
    wake: 1,
  }))
  for (const chunk of chunksOf(rows))
    await trx(lanes)
      .insert(chunk)
      // MySQL's ON DUPLICATE KEY UPDATE would fire on any unique key; this table has one.
      .onConflict('lane')
      .merge({
        wake: trx.raw(`${lanes}.wake + 1`),
        due_us: trx.raw(wakenedDueUs(lanes, dialect.proposed('due_us'))),
      })
}

/** When a lane that has got work is due, as SQL over its row. */
export function wakenedDueUs(lanes: string, dueUs: string): string {
  return `case when ${lanes}.due_us = ${idleUs} then ${dueUs}
    when ${lanes}.owner is null and ${lanes}.failures = 0 and ${lanes}.due_us > ${dueUs} then ${dueUs}
    else ${lanes}.due_us end`
}

/** Each lane once, at the earliest time named for it, sorted by key: the order in which lanes are locked. */
export function sortedLanes(wakened: Wakened[]): Wakened[] {
  const byKey = new Map<string, Wakened>()
  for (const one of wakened) {
    const other = byKey.get(one.lane)
    if (!other || one.afterMs < other.afterMs) byKey.set(one.lane, one)
  }
  return [...byKey.values()].sort((a, b) => (a.lane < b.lane ? -1 : 1))
}
