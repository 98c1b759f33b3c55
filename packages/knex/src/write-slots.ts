import type { Settlement } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from './database.js'
import type { Row } from './dialect.js'
import { insertMissing } from './insert-missing.js'
import { compareSlots, slotKey } from './lock-slots.js'
import { RunAgain } from './retrying.js'

type SlotChanges = Pick<NonNullable<Settlement['decision']>, 'free' | 'take' | 'wait'>

/** Frees, takes and waits for slots. A slot that another meeting took since it was looked at: everything is rolled back and decided again. */
export async function writeSlots(
  database: Database,
  trx: Knex.Transaction,
  event: Row,
  { free, take, wait }: SlotChanges,
): Promise<void> {
  const { tables } = database
  if (free.length > 0) await trx(tables.slots).whereIn(['resource', 'starts_us'], free.map(slotKey)).delete()
  for (const slot of [...take].sort(compareSlots)) {
    const { resource, startsUs: starts_us, provider, account, meetingId: meeting_id } = slot
    const row = { resource, starts_us, provider, account, meeting_id }
    await insertMissing(database, trx, tables.slots, ['resource', 'starts_us'], [row])
    const [own] = await trx(tables.slots).select('meeting_id').where(row)
    if (!own) throw new RunAgain('Another meeting took the slot meanwhile.')
  }
  await trx(tables.waiting).where({ event_id: event.id }).delete()
  if (wait)
    for (const { resource, startsUs } of [...wait.slots].sort(compareSlots))
      await trx(tables.waiting).insert({
        event_id: event.id,
        resource,
        starts_us: startsUs,
        provider: event.provider,
        account: event.account,
        booking_id: wait.bookingId,
        occurred_us: event.occurred_us,
        wanted: wait.wanted,
      })
}
