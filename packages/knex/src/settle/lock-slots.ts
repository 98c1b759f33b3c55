import type { HeldSlot, Slot } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'

/** Locks the rows of these slots that are held, in one order for everybody, and says by whom. */
export async function lockSlots(
  { dialect, tables }: Database,
  trx: Knex.Transaction,
  slots: Slot[],
): Promise<HeldSlot[]> {
  if (slots.length === 0) return []
  const query = trx(tables.slots)
    .select('resource', 'starts_us', 'provider', 'account', 'meeting_id')
    .whereIn(['resource', 'starts_us'], slots.map(slotKey))
    .orderBy([{ column: 'resource' }, { column: 'starts_us' }])
  const rows = await dialect.forUpdate(query)
  return rows.map(row => ({
    resource: row.resource,
    startsUs: Number(row.starts_us),
    provider: row.provider,
    account: row.account,
    meetingId: row.meeting_id,
  }))
}

export function slotKey({ resource, startsUs }: Slot): [string, number] {
  return [resource, startsUs]
}

/** One text for each slot. */
export function slotName({ resource, startsUs }: Slot): string {
  return `${startsUs} ${resource}`
}

/** The order in which slots are taken. */
export function compareSlots(a: Slot, b: Slot): number {
  return a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : a.startsUs - b.startsUs
}
