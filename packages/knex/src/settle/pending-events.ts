import type { ClaimedLane, StoredEvent } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import { type Became, gather } from '../database/gather.js'
import { patienceMs, retrying } from '../database/retrying.js'
import type { Row } from '../dialects/dialect.js'
import { fitting, sharedBytes } from '../rows/fitting.js'
import { storedEvents } from '../rows/stored-events.js'
import { isUnsettled } from '../schema/partial-indexes.js'

interface Look {
  lane: ClaimedLane
  limit: number
}

/** Reads lanes' unsettled events and those that wait, in order of arrival; those of lanes that are asked for together, together. */
export function eventReader(
  database: Database,
): (lane: ClaimedLane, limit: number) => Promise<StoredEvent[]> {
  const read = gather<Look, StoredEvent[]>(
    looks => retrying(database, () => pendingEvents(database, looks), patienceMs),
    64,
  )
  return (lane, limit) => read({ lane, limit })
}

/** Timed looks only once their time has come. */
async function pendingEvents(
  { knex, tables, nowUs }: Database,
  looks: Look[],
): Promise<Became<StoredEvent[]>[]> {
  const due = knex(tables.events)
    .select(
      'id',
      'lane',
      'sequence',
      knex.raw('coalesce(length(body), 0) + coalesce(length(snapshot), 0) as bytes'),
      knex.raw('row_number() over (partition by lane order by sequence) as place'),
    )
    .whereIn(
      'lane',
      looks.map(({ lane }) => lane.key),
    )
    .whereIn('status', ['pending', 'waiting'])
    .whereRaw(isUnsettled)
    .where('due_us', '<=', knex.raw(nowUs()))
  const rows: Row[] = await knex
    .from(due.as('due'))
    .select('id', 'lane', 'place', 'bytes')
    .where('place', '<=', Math.max(...looks.map(({ limit }) => limit)))
    .orderBy('sequence')
  const bytes = sharedBytes(looks.length)
  const ids = looks.map(({ lane, limit }) =>
    fitting(
      rows.filter(row => row.lane === lane.key && Number(row.place) <= limit),
      bytes,
    ).map(row => row.id as string),
  )
  const all = ids.flat()
  const events = all.length === 0 ? [] : await storedEvents(knex, { tables }, all)
  return ids.map(own => ({ answer: events.filter(({ id }) => own.includes(id)) }))
}
