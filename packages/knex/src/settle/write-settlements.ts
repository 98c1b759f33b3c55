import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import type { Wakened } from '../lane/wake-lanes.js'
import { insertTells } from '../tell/insert-tells.js'
import type { Site } from './site.js'
import { writeBookings } from './write-bookings.js'
import { writeChildren, writeEvents } from './write-events.js'
import { writeSlots } from './write-slots.js'
import { writeSubjects } from './write-subjects.js'
import { endWaits, writeWaits } from './write-waits.js'

/** Writes all that settled events bring: their rows, further events, bookings, slots, waits and tells, but for the lanes, which are locked last: returns those to be woken.
 * They share no booking and no slot. */
export async function writeSettlements(
  database: Database,
  trx: Knex.Transaction,
  sites: Site[],
): Promise<Wakened[]> {
  const settlements = sites.map(site => site.settlement)
  const decisions = settlements.flatMap(({ decision }) => decision ?? [])
  await writeEvents(database, trx, sites)
  await writeSubjects(database, trx, sites)
  await writeChildren(database, trx, sites)
  await writeBookings(database, trx, sites)
  await writeSlots(database, trx, {
    free: decisions.flatMap(({ free }) => free),
    take: decisions.flatMap(({ take }) => take),
  })
  await writeWaits(database, trx, sites)
  for (const { noLongerWaiting } of decisions) await endWaits(database, trx, noLongerWaiting)
  return insertTells(
    database,
    trx,
    settlements.flatMap(({ tells }) => tells),
    '',
  )
}
