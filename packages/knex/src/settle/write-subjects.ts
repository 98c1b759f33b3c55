import { subjectsOf } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { insertMissing } from '../database/insert-missing.js'
import type { Site } from './site.js'

/** Keeps under which subjects the facts of these events are found again. */
export async function writeSubjects(database: Database, trx: Knex.Transaction, sites: Site[]): Promise<void> {
  const rows = sites.flatMap(
    ({ event: { id: event_id, provider, account }, settlement: { event, subjects } }) =>
      event.fact === null
        ? []
        : [...new Set([...subjects, ...subjectsOf(event.fact)])]
            .sort()
            .map(subject => ({ provider, account, subject, event_id })),
  )
  await insertMissing(
    database,
    trx,
    database.tables.subjects,
    ['provider', 'account', 'subject', 'event_id'],
    rows,
  )
}
