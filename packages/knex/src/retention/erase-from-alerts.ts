import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { mentions } from './mentions.js'

const alertsAtOnce = 200

/** Takes an address out of the alerts: what a callback failed with may name it. An alert that nobody took yet is handed over without that. */
export async function eraseFromAlerts({ knex, tables }: Database, email: string): Promise<void> {
  for (let after = 0; ; ) {
    const rows: Row[] = await knex(tables.alerts)
      .select('id', 'fields')
      .where('id', '>', after)
      .orderBy('id')
      .limit(alertsAtOnce)
    for (const { id, fields } of rows) {
      const known = Object.entries(JSON.parse(fields as string))
      const left = known.filter(([, value]) => !mentions(String(value), email))
      if (left.length < known.length)
        await knex(tables.alerts)
          .where({ id: Number(id) })
          .update({ fields: JSON.stringify(Object.fromEntries(left)) })
    }
    if (rows.length < alertsAtOnce) return
    after = Number(rows.at(-1)?.id)
  }
}
