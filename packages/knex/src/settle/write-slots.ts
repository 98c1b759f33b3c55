import type { Settlement } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { anyOf } from '../database/any-of.js'
import type { Database } from '../database/database.js'
import { insertMissing } from '../database/insert-missing.js'
import { RunAgain } from '../database/retrying.js'
import { compareSlots } from './lock-slots.js'

type SlotChanges = Pick<NonNullable<Settlement['decision']>, 'free' | 'take'>

/** Frees and takes slots. Where another meeting took one since it was looked at, everything is rolled back and decided again. */
export async function writeSlots(
  database: Database,
  trx: Knex.Transaction,
  { free, take }: SlotChanges,
): Promise<void> {
  const { slots } = database.tables
  if (free.length > 0)
    await trx(slots)
      .where(anyOf(free.map(({ resource, startsUs }) => ({ resource, starts_us: startsUs }))))
      .delete()
  if (take.length === 0) return
  const rows = [...take].sort(compareSlots).map(({ resource, startsUs, provider, account, meetingId }) => ({
    resource,
    starts_us: startsUs,
    provider,
    account,
    meeting_id: meetingId,
  }))
  await insertMissing(database, trx, slots, ['resource', 'starts_us'], rows)
  const own = await trx(slots)
    .select('resource')
    .whereIn(
      ['resource', 'starts_us', 'provider', 'account', 'meeting_id'],
      rows.map(row => Object.values(row)),
    )
  if (own.length < rows.length) throw new RunAgain('Another meeting took a slot meanwhile.')
}
