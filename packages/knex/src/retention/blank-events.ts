import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'

/** Whatever of an event may hold a guest's data. What stays is small, and names nobody. */
const guestColumns = {
  headers: null,
  body: null,
  snapshot: null,
  fact_details: null,
  told: null,
  last_error: null,
}

/** Blanks these events, which the transaction holds locked, with their steps and the errors of their tells. */
export async function blankEvents(
  { tables }: Database,
  trx: Knex.Transaction,
  ids: string[],
  erasedUs: Knex.Raw | null = null,
): Promise<void> {
  if (ids.length === 0) return
  await trx(tables.events)
    .whereIn('id', ids)
    .update({ ...guestColumns, is_blank: true, ...(erasedUs && { erased_us: erasedUs }) })
  await trx(tables.steps).whereIn('event_id', ids).delete()
  await trx(tables.tells).whereIn('event_id', ids).whereNotNull('last_error').update({ last_error: null })
}

/** Locks these events, in one order for everybody, and returns those that are not blank. */
export async function lockEvents(
  { dialect, tables }: Database,
  trx: Knex.Transaction,
  ids: string[],
): Promise<Row[]> {
  return dialect.forUpdate(
    trx(tables.events)
      .select('id', 'status', 'provider', 'account', 'booking_id', 'origin')
      .whereIn('id', ids)
      .where({ is_blank: false })
      .orderBy('id'),
  )
}
