import {
  compareFacts,
  type Fact,
  type SettleTransaction,
  type StoredBooking,
  subjectsOf,
} from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { insertMissing } from '../database/insert-missing.js'
import { RunAgain } from '../database/retrying.js'
import type { Row } from '../dialects/dialect.js'
import { bookingsById } from '../rows/bookings-by-id.js'
import { factOf } from '../rows/event-row.js'
import { byOwner, type Owner, ownerKey } from './owner.js'
import { type Waiter, waitingOf } from './waiting.js'

type Thread = Awaited<ReturnType<SettleTransaction['lockThread']>>

/** Subjects of one account, and later all that is linked to them. */
interface Linked {
  index: number
  owner: Owner
  subjects: ReadonlySet<string>
}

/**
 * Locks, for each, its subjects and everything that the settled facts link to them, to a fixpoint, and returns facts, bookings and waiting
 * events; null where `mayLock` refuses. Locks are taken in one order for everybody. Where facts that came meanwhile link further than what was
 * locked, everything is rolled back and done again.
 */
export async function lockThreads(
  database: Database,
  trx: Knex.Transaction,
  asked: { owner: Owner; seeds: string[] }[],
  mayLock: (index: number, names: string[]) => boolean,
): Promise<(Thread | null)[]> {
  const wanted: Linked[] = []
  for (const { owner, of } of byOwner([...asked.entries()], ([, one]) => one.owner)) {
    const links = await linksOf(database, trx, owner, [...new Set(of.flatMap(([, { seeds }]) => seeds))])
    for (const [index, { seeds }] of of) {
      const subjects = closure(seeds, links)
      const names = [...subjects].map(subject => `${ownerKey(owner)}\u0000${subject}`)
      if (mayLock(index, names)) wanted.push({ index, owner, subjects })
    }
  }
  const groups = byOwner(wanted, one => one.owner).map(({ owner, of }) => ({
    owner,
    of,
    subjects: [...new Set(of.flatMap(({ subjects }) => [...subjects]))].sort(),
  }))
  await lockSubjects(database, trx, groups)
  const threads: (Thread | null)[] = asked.map(() => null)
  for (const { owner, of, subjects } of groups) {
    const facts = await factsOf(database, trx, owner, subjects)
    const bookingIds = idsIn(subjects)
    const bookings = await bookingsById(trx, database, owner, bookingIds)
    const waiting = await waitingOf(database, trx, owner, bookingIds)
    for (const linked of of) threads[linked.index] = threadOf(linked, facts, bookings, waiting)
  }
  return threads
}

/** What is linked to these subjects over the facts as they are now, without locks: which ones to take. */
async function linksOf(
  { tables }: Database,
  trx: Knex.Transaction,
  { provider, account }: Owner,
  seeds: string[],
): Promise<Map<string, string[]>> {
  const links = new Map<string, string[]>()
  for (let added = seeds; added.length > 0; ) {
    for (const subject of added) links.set(subject, [])
    const rows = await trx(`${tables.subjects} as mine`)
      .join(`${tables.subjects} as linked`, 'linked.event_id', 'mine.event_id')
      .distinct('mine.subject as mine', 'linked.subject as linked')
      .where({ 'mine.provider': provider, 'mine.account': account })
      .whereIn('mine.subject', added)
    for (const row of rows) links.get(row.mine)?.push(row.linked)
    added = [...new Set(rows.map(row => row.linked as string))].filter(subject => !links.has(subject))
  }
  return links
}

function closure(seeds: string[], links: ReadonlyMap<string, string[]>): Set<string> {
  // A set that grows while it is walked is walked to its end.
  const all = new Set(seeds)
  for (const subject of all) for (const linked of links.get(subject) ?? []) all.add(linked)
  return all
}

/** One row for each subject, made where it is missing, stands for all that is known under it. */
async function lockSubjects(
  database: Database,
  trx: Knex.Transaction,
  groups: { owner: Owner; subjects: string[] }[],
): Promise<void> {
  const { dialect, tables } = database
  const locks = tables.subject_locks
  if (!dialect.hasRowLocks) return
  const rows = groups.flatMap(({ owner, subjects }) => subjects.map(subject => ({ ...owner, subject })))
  await insertMissing(database, trx, locks, ['provider', 'account', 'subject'], rows)
  for (const { owner, subjects } of groups)
    await dialect.forUpdate(
      trx(locks)
        .select('subject')
        .where({ ...owner })
        .whereIn('subject', subjects)
        .orderBy('subject'),
    )
}

interface FoundFact {
  fact: Fact
  /** Those of the subjects asked for under which it is found. */
  under: string[]
}

async function factsOf(
  { tables }: Database,
  trx: Knex.Transaction,
  { provider, account }: Owner,
  subjects: string[],
): Promise<FoundFact[]> {
  const rows: Row[] = await trx(`${tables.subjects} as s`)
    .join(`${tables.events} as e`, 'e.id', 's.event_id')
    .select('s.subject', 'e.id', 'e.fact', 'e.fact_details')
    .where({ 's.provider': provider, 's.account': account })
    .whereIn('s.subject', subjects)
    .whereNotNull('e.fact')
  const byEvent = new Map<string, FoundFact>()
  for (const row of rows) {
    const [id, subject] = [row.id as string, row.subject as string]
    const found = byEvent.get(id)
    if (found) found.under.push(subject)
    else byEvent.set(id, { fact: factOf(row) as Fact, under: [subject] })
  }
  return [...byEvent.values()].sort((a, b) => compareFacts(a.fact, b.fact))
}

function idsIn(subjects: Iterable<string>): string[] {
  return [...subjects].filter(subject => subject.startsWith('b:')).map(subject => subject.slice(2))
}

/** The part of what was read that belongs to one thread. */
function threadOf(
  { subjects }: Linked,
  facts: FoundFact[],
  bookings: StoredBooking[],
  waiting: Waiter[],
): Thread {
  const own = facts
    .filter(({ under }) => under.some(subject => subjects.has(subject)))
    .map(({ fact }) => fact)
  for (const fact of own)
    for (const subject of subjectsOf(fact))
      if (!subjects.has(subject)) throw new RunAgain('The thread grew while it was locked.')
  const ids = new Set(idsIn(subjects))
  return {
    facts: own,
    bookings: bookings.filter(({ id }) => ids.has(id)),
    waiting: waiting.filter(({ bookingId }) => ids.has(bookingId)),
  }
}
