import type { Settlement, Slot } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from './database.js'
import { insertMissing } from './insert-missing.js'
import { compareSlots } from './lock-slots.js'
import { RunAgain } from './retrying.js'

type SlotChanges = Pick<NonNullable<Settlement['decision']>, 'free' | 'take'>

/** Frees and takes slots. Where another meeting took one since it was looked at, everything is rolled back and decided again. */
export async function writeSlots(
  database: Database,
  trx: Knex.Transaction,
  { free, take }: SlotChanges,
): Promise<void> {
  const { slots } = database.tables
  if (free.length > 0) await trx(slots).where(isOneOf(free)).delete()
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

/** MariaDB finds a list of pairs by its index only where it reads; where it deletes, it would lock every slot there is on its way. */
function isOneOf(slots: Slot[]): (query: Knex.QueryBuilder) => void {
  return query => {
    for (const { resource, startsUs } of slots) query.orWhere({ resource, starts_us: startsUs })
  }
}
