import type { BookingEvent, ClaimedLane, StoredTell } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import { type Became, gather } from '../database/gather.js'
import { patienceMs, retrying } from '../database/retrying.js'
import type { Row } from '../dialects/dialect.js'
import { replayRequests } from '../replay/replays.js'
import { parsed } from '../rows/event-row.js'
import { fitting, sharedBytes } from '../rows/fitting.js'

interface Look {
  lane: ClaimedLane
  limit: number
}

/**
 * Reads lanes' pending tells, in the order in which they were written, none while a lane waits after another; those of lanes that are asked for
 * together, together.
 */
export function tellReader(database: Database): (lane: ClaimedLane, limit: number) => Promise<StoredTell[]> {
  const read = gather<Look, StoredTell[]>(
    looks => retrying(database, () => pendingTells(database, looks), patienceMs),
    64,
  )
  return (lane, limit) => read({ lane, limit })
}

async function pendingTells(database: Database, looks: Look[]): Promise<Became<StoredTell[]>[]> {
  const { knex, tables } = database
  const pending = knex(`${tables.tells} as t`)
    .join(`${tables.lanes} as l`, 'l.lane', 't.lane')
    .select(
      't.event_id',
      't.subscriber',
      't.replay',
      't.attempts',
      't.lane',
      't.sequence',
      knex.raw('row_number() over (partition by t.lane order by t.sequence) as place'),
    )
    .whereIn(
      't.lane',
      looks.map(({ lane }) => lane.key),
    )
    .where({ 't.status': 'pending' })
    .whereNull('l.after_lane')
  const rows: Row[] = await knex
    .from(pending.as('p'))
    .join(`${tables.events} as e`, 'e.id', 'p.event_id')
    .select('p.*', knex.raw('length(e.told) as bytes'))
    .where('p.place', '<=', Math.max(...looks.map(({ limit }) => limit)))
    .orderBy('p.sequence')
  const bytes = sharedBytes(looks.length)
  const few = looks.map(({ lane, limit }) =>
    fitting(
      rows.filter(row => row.lane === lane.key && Number(row.place) <= limit),
      bytes,
    ),
  )
  const all = few.flat()
  const told = await toldEvents(database, [...new Set(all.map(row => row.event_id as string))])
  const replays = await replayRequests(
    database,
    [...new Set(all.map(row => row.replay as string))].filter(replay => replay !== ''),
  )
  const storedTell = (row: Row): StoredTell => ({
    eventId: row.event_id as string,
    subscriber: row.subscriber as string,
    replay: row.replay as string,
    attempts: Number(row.attempts),
    ...(told.get(row.event_id as string) as Told),
    isOvertakenToo: replays.get(row.replay as string)?.overtaken ?? false,
  })
  return few.map(own => ({ answer: own.map(storedTell) }))
}

type Told = Pick<StoredTell, 'event' | 'deliveredIn'>

async function toldEvents({ knex, tables }: Database, ids: string[]): Promise<Map<string, Told>> {
  if (ids.length === 0) return new Map()
  const rows: Row[] = await knex(tables.events).select('id', 'told', 'headers').whereIn('id', ids)
  return new Map(
    rows.map(row => {
      const headers = parsed(row.headers) as Record<string, string> | null
      const told = { event: parsed(row.told) as BookingEvent, deliveredIn: headers?.traceparent ?? null }
      return [row.id as string, told]
    }),
  )
}
