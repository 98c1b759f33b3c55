import type { RegisteredSubscriber } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { transaction } from '../database/transaction.js'

/** Makes subscribers known to all processes. */
export function registerSubscribers(database: Database, subscribers: RegisteredSubscriber[]): Promise<void> {
  const sorted = [...subscribers].sort((a, b) => (a.name < b.name ? -1 : 1))
  return transaction(database, async trx => {
    for (const { name, takes } of sorted)
      await trx(database.tables.subscribers)
        .insert({ name, takes: JSON.stringify(takes) })
        .onConflict('name')
        .merge(['takes'])
  })
}

/** The subscribers of all processes. */
export async function registeredSubscribers({ tables }: Database, db: Knex): Promise<RegisteredSubscriber[]> {
  const rows = await db(tables.subscribers).select('name', 'takes').orderBy('name')
  return rows.map(row => ({ name: row.name, takes: JSON.parse(row.takes) }))
}
