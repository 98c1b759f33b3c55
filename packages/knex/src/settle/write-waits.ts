import type { Knex } from 'knex'
import { chunksOf } from '../database/chunks.js'
import { cleanText } from '../database/clean-text.js'
import type { Database } from '../database/database.js'
import type { Site } from './site.js'

/** Writes the slots that events wait for from now on; none where they wait no more. */
export async function writeWaits({ tables }: Database, trx: Knex.Transaction, sites: Site[]): Promise<void> {
  const before = sites.filter(({ event }) => event.status === 'waiting').map(({ event }) => event.id)
  if (before.length > 0) await trx(tables.waiting).whereIn('event_id', before).delete()
  const rows = sites.flatMap(
    ({ event: { id: event_id, provider, account }, settlement: { event, decision } }) =>
      (decision?.wait?.slots ?? []).map(({ resource, startsUs: starts_us }) => ({
        event_id,
        resource,
        starts_us,
        provider,
        account,
        booking_id: decision?.wait?.bookingId,
        occurred_us: event.occurredUs,
        wanted: decision?.wait?.wanted,
      })),
  )
  for (const chunk of chunksOf(rows)) await trx(tables.waiting).insert(chunk)
}

/** Settles others' events whose wait ended without a slot. */
export async function endWaits(
  { tables, nowUs }: Database,
  trx: Knex.Transaction,
  ended: { eventId: string; reason: string }[],
): Promise<void> {
  for (const { eventId, reason } of ended) {
    await trx(tables.waiting).where({ event_id: eventId }).delete()
    await trx(tables.events)
      .where({ id: eventId, status: 'waiting' })
      .update({ status: 'settled', reason: cleanText(reason), finished_us: trx.raw(nowUs()) })
  }
}
