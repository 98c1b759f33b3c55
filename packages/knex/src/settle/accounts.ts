import type { Micros } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import { insertMissing } from '../database/insert-missing.js'
import { transaction } from '../database/transaction.js'

const key = ['provider', 'account']

/** Since when the account is connected: as first said on this database, or now at the first call. */
export function connectAccount(
  database: Database,
  provider: string,
  account: string,
  sinceUs: Micros | null,
): Promise<Micros> {
  const { tables, nowUs } = database
  return transaction(database, async trx => {
    const row = () => trx(tables.accounts).where({ provider, account })
    await insertMissing(database, trx, tables.accounts, key, [{ provider, account }])
    await row()
      .whereNull('connected_us')
      .update({ connected_us: sinceUs ?? trx.raw(nowUs()) })
    return Number((await row().select('connected_us'))[0].connected_us)
  })
}

/** Pauses the account's fetches from now on; null ends a pause. */
export function pauseAccount(
  database: Database,
  provider: string,
  account: string,
  pauseMs: number | null,
): Promise<void> {
  const { tables, nowUs } = database
  return transaction(database, async trx => {
    await insertMissing(database, trx, tables.accounts, key, [{ provider, account }])
    await trx(tables.accounts)
      .where({ provider, account })
      .update({
        paused_until_us: pauseMs === null ? 0 : trx.raw(`${nowUs()} + ?`, [Math.round(pauseMs * 1000)]),
      })
  })
}

/** Milliseconds that the account's fetches still pause; 0 for none. */
export async function pausedFor(
  { knex, tables, nowUs }: Database,
  provider: string,
  account: string,
): Promise<number> {
  const rows = await knex(tables.accounts)
    .select(knex.raw(`paused_until_us - ${nowUs()} as left_us`))
    .where({ provider, account })
  return Math.max(0, Math.ceil(Number(rows[0]?.left_us ?? 0) / 1000))
}
