import {
  compareFacts,
  type Fact,
  type SettleTransaction,
  type StoredBooking,
  subjectsOf,
} from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { bookingColumns, storedBooking } from './booking-row.js'
import type { Database } from './database.js'
import type { Row } from './dialect.js'
import { factOf } from './event-row.js'
import { insertMissing } from './insert-missing.js'
import { RunAgain } from './retrying.js'
import { waitingOf } from './waiting.js'

/** Whose subjects. */
export interface Owner {
  provider: string
  account: string
}

/**
 * Locks these subjects and everything that the settled facts link to them, to a fixpoint, and returns facts, bookings and waiting events.
 * Locks are taken in one order for everybody. Where facts that came meanwhile link further than what was locked, everything is rolled back and done again.
 */
export async function lockThread(
  database: Database,
  trx: Knex.Transaction,
  owner: Owner,
  seeds: string[],
): Promise<Awaited<ReturnType<SettleTransaction['lockThread']>>> {
  const subjects = await linkedSubjects(database, trx, owner, seeds)
  await lockSubjects(database, trx, owner, [...subjects].sort())
  const facts = await factsOf(database, trx, owner, subjects)
  for (const fact of facts)
    for (const subject of subjectsOf(fact))
      if (!subjects.has(subject)) throw new RunAgain('The thread grew while it was locked.')
  const bookingIds = [...subjects]
    .filter(subject => subject.startsWith('b:'))
    .map(subject => subject.slice(2))
  return {
    facts,
    bookings: await bookingsOf(database, trx, owner, bookingIds),
    waiting: await waitingOf(database, trx, owner.provider, owner.account, bookingIds),
  }
}

/** The closure over the facts as they are now, without locks: which ones to take. */
async function linkedSubjects(
  { tables }: Database,
  trx: Knex.Transaction,
  { provider, account }: Owner,
  seeds: string[],
): Promise<Set<string>> {
  const all = new Set(seeds)
  for (let added = seeds; added.length > 0; ) {
    const rows = await trx(`${tables.subjects} as mine`)
      .join(`${tables.subjects} as linked`, 'linked.event_id', 'mine.event_id')
      .distinct('linked.subject')
      .where({ 'mine.provider': provider, 'mine.account': account })
      .whereIn('mine.subject', added)
    added = rows.map(row => row.subject).filter(subject => !all.has(subject))
    for (const subject of added) all.add(subject)
  }
  return all
}

/** One row for each subject, made where it is missing, stands for all that is known under it. */
async function lockSubjects(
  database: Database,
  trx: Knex.Transaction,
  { provider, account }: Owner,
  subjects: string[],
): Promise<void> {
  const { dialect, tables } = database
  const locks = tables.subject_locks
  if (!dialect.hasRowLocks || subjects.length === 0) return
  const rows = subjects.map(subject => ({ provider, account, subject }))
  await insertMissing(database, trx, locks, ['provider', 'account', 'subject'], rows)
  await dialect.forUpdate(
    trx(locks).select('subject').where({ provider, account }).whereIn('subject', subjects).orderBy('subject'),
  )
}

async function factsOf(
  { tables }: Database,
  trx: Knex.Transaction,
  { provider, account }: Owner,
  subjects: ReadonlySet<string>,
): Promise<Fact[]> {
  const rows: Row[] = await trx(tables.events)
    .select('fact', 'fact_details')
    .whereNotNull('fact')
    .whereIn(
      'id',
      trx(tables.subjects)
        .select('event_id')
        .where({ provider, account })
        .whereIn('subject', [...subjects]),
    )
  return rows.flatMap(row => factOf(row) ?? []).sort(compareFacts)
}

async function bookingsOf(
  { tables }: Database,
  trx: Knex.Transaction,
  { provider, account }: Owner,
  ids: string[],
): Promise<StoredBooking[]> {
  const rows: Row[] = await trx(tables.bookings)
    .select(...bookingColumns)
    .where({ provider, account })
    .whereIn('booking_id', ids)
  return rows.map(storedBooking)
}
