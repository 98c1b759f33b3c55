import type { NewAlert, StoredAlert } from '@booking-webhooks/core'
import type { Database } from './database.js'
import { transaction } from './transaction.js'

/** Writes an alert down; true for the one call, over all processes, that did. */
export async function raiseAlert(
  { knex, dialect, tables, nowUs }: Database,
  { subject, streak, threshold, kind, fields }: NewAlert,
): Promise<boolean> {
  try {
    await knex(tables.alerts).insert({
      subject,
      streak,
      threshold,
      kind,
      fields: JSON.stringify(fields),
      raised_us: knex.raw(nowUs()),
    })
    return true
  } catch (error) {
    if (dialect.failureOf(error) === 'unique') return false
    throw error
  }
}

/** Takes alerts that nobody has handed over; they come again when the lease runs out. */
export function claimAlerts(database: Database, leaseMs: number): Promise<StoredAlert[]> {
  const { dialect, tables, nowUs } = database
  return transaction(database, async trx => {
    const rows = await dialect.forUpdate(
      trx(tables.alerts)
        .select('id', 'subject', 'streak', 'threshold', 'kind', 'fields')
        .whereNull('handed_us')
        .where('lease_us', '<=', trx.raw(nowUs()))
        .orderBy('id')
        .limit(100),
    )
    const ids = rows.map(row => row.id)
    await trx(tables.alerts)
      .whereIn('id', ids)
      .update({ lease_us: trx.raw(`${nowUs()} + ?`, [Math.round(leaseMs * 1000)]) })
    return rows.map(row => ({
      id: Number(row.id),
      subject: row.subject,
      streak: Number(row.streak),
      threshold: Number(row.threshold),
      kind: row.kind,
      fields: JSON.parse(row.fields),
    }))
  })
}

export async function alertHandedOver({ knex, tables, nowUs }: Database, { id }: StoredAlert): Promise<void> {
  await knex(tables.alerts)
    .where({ id })
    .update({ handed_us: knex.raw(nowUs()) })
}
