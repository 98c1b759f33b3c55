import type { NewEvent } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import type { Wakened } from '../lane/wake-lanes.js'
import { newEventRow } from '../rows/event-row.js'

/** Puts what an unreadable row turned out to be in its place; arrival, bytes and count of deliveries stay. */
export async function rereadEvent(
  database: Database,
  trx: Knex.Transaction,
  event: NewEvent,
  wake: (lane: Wakened) => void,
): Promise<void> {
  const { lane, provider_type, type, booking_id, meeting_id, occurred_us, reading_index, origin } =
    newEventRow(event)
  await trx(database.tables.events).where({ id: event.id, status: 'pending' }).update({
    lane,
    provider_type,
    type,
    booking_id,
    meeting_id,
    occurred_us,
    reading_index,
    origin,
    unreadable: null,
  })
  wake({ lane: event.lane, kind: 'settle', subscriber: '', afterMs: 0 })
}
