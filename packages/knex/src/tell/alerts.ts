import type { AlertRule, StoredAlert, Streak } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { insertMissing } from '../database/insert-missing.js'
import { transaction } from '../database/transaction.js'

/** Writes down what a result of a subject calls for, in the transaction that counts it; true where it calls for anything. */
export async function raiseAlerts(
  database: Database,
  trx: Knex.Transaction,
  subject: string,
  failuresBefore: number,
  { consecutiveFailures, endedStreak, streak }: Omit<Streak, 'isRaised'>,
  { thresholds, fields }: AlertRule,
): Promise<boolean> {
  const { tables, nowUs } = database
  const crossed = thresholds.filter(
    threshold => threshold > failuresBefore && threshold <= consecutiveFailures,
  )
  const hasRecovered = endedStreak >= Math.min(...thresholds)
  const raised = [
    ...crossed.map(threshold => ({ threshold, kind: 'alert', failures: threshold })),
    ...(hasRecovered ? [{ threshold: 0, kind: 'recovered', failures: endedStreak }] : []),
  ]
  const rows = raised.map(({ threshold, kind, failures }) => ({
    subject,
    streak,
    threshold,
    kind,
    fields: JSON.stringify({ ...fields, consecutiveFailures: failures }),
    raised_us: trx.raw(nowUs()),
  }))
  await insertMissing(database, trx, tables.alerts, ['subject', 'streak', 'threshold'], rows)
  return rows.length > 0
}

/** Takes alerts that nobody has handed over; they come again `restMs` after the lease runs out. */
export function claimAlerts(database: Database, leaseMs: number, restMs = 0): Promise<StoredAlert[]> {
  const { dialect, tables, nowUs } = database
  return transaction(database, async trx => {
    const rows = await dialect.forUpdate(
      trx(tables.alerts)
        .select('id', 'subject', 'streak', 'threshold', 'kind', 'fields', 'lease_us')
        .whereNull('handed_us')
        .where(free =>
          free
            .where('lease_us', 0)
            .orWhere('lease_us', '<=', trx.raw(`${nowUs()} - ?`, [Math.round(restMs * 1000)])),
        )
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
      isFirst: Number(row.lease_us) === 0,
    }))
  })
}

export async function alertHandedOver({ knex, tables, nowUs }: Database, { id }: StoredAlert): Promise<void> {
  await knex(tables.alerts)
    .where({ id })
    .update({ handed_us: knex.raw(nowUs()) })
}
