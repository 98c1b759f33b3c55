import type { Knex } from 'knex'
import { shortId } from '../support/workbench.js'

/** Which meeting holds which slot, as `History.slots` writes them. */
export async function slotsOf(knex: Knex, account: string): Promise<Map<string, string>> {
  const rows = await knex('booking_webhooks_slots').where({ account })
  return new Map(
    rows.map(row => [
      `${shortId(row.resource)}@${startOf(new Date(Number(row.starts_us) / 1000).toISOString())}`,
      shortId(row.meeting_id),
    ]),
  )
}

/** The number of the start as the history's actions name it. */
export function startOf(instant: string | null): number {
  return (Date.parse(instant ?? '') - Date.UTC(2027, 0, 1)) / 3_600_000 - 240
}
