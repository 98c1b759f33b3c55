import type { BookingEvent, ClaimedLane, StoredTell } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import { type Became, gather } from '../database/gather.js'
import { patienceMs, retrying } from '../database/retrying.js'
import type { Row } from '../dialects/dialect.js'
import { replayRequests } from '../replay/replays.js'
import { parsed } from '../rows/event-row.js'
import { sharedBytes } from '../rows/fitting.js'
import { isUntold } from '../schema/partial-indexes.js'

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
    .whereRaw(`t.${isUntold}`)
    .whereNull('l.after_lane')
  const weighed = knex
    .from(pending.as('p'))
    .join(`${tables.events} as e`, 'e.id', 'p.event_id')
    .select(
      'p.*',
      'e.told',
      'e.headers',
      knex.raw('sum(length(e.told)) over (partition by p.lane order by p.place) as bytes'),
    )
    .where('p.place', '<=', Math.max(...looks.map(({ limit }) => limit)))
  const rows: Row[] = await knex
    .from(weighed.as('w'))
    .where(fits => fits.where('place', 1).orWhere('bytes', '<=', sharedBytes(looks.length)))
    .orderBy('sequence')
  const replays = await replayRequests(
    database,
    [...new Set(rows.map(row => row.replay as string))].filter(replay => replay !== ''),
  )
  const storedTell = (row: Row): StoredTell => {
    const headers = parsed(row.headers) as Record<string, string> | null
    return {
      eventId: row.event_id as string,
      subscriber: row.subscriber as string,
      replay: row.replay as string,
      attempts: Number(row.attempts),
      event: parsed(row.told) as BookingEvent,
      deliveredIn: headers?.traceparent ?? null,
      isOvertakenToo: replays.get(row.replay as string)?.overtaken ?? false,
    }
  }
  return looks.map(({ lane, limit }) => ({
    answer: rows.filter(row => row.lane === lane.key && Number(row.place) <= limit).map(storedTell),
  }))
}
