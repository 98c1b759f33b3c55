import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { transaction } from '../database/transaction.js'
import type { Row } from '../dialects/dialect.js'
import { eventsOfBookings } from '../rows/events-of-bookings.js'
import { blankEvents, lockEvents } from './blank-events.js'

/** One part: a commit that keeps nobody waiting. */
const eventsAtOnce = 200
const slotsAtOnce = 500

/** Blanks what is over and older than it is kept, a part each time it is called, and begins again at the oldest once it is through. */
export function expirer(
  database: Database,
): (keptMs: number) => Promise<{ blanked: number; isOver: boolean }> {
  // What is pending or dead is passed by, not looked at again and again.
  let behind = { finishedUs: 0, sequence: 0 }
  return async keptMs => {
    const beforeUs = await clockBefore(database, keptMs)
    const old = await oldEvents(database, beforeUs, behind)
    const blanked = await transaction(database, trx => blankWhatIsOver(database, trx, old, beforeUs))
    const removed = await removeOldSlots(database, beforeUs)
    await removeOldAlerts(database, beforeUs)
    const last = old.at(-1)
    const isOver = old.length < eventsAtOnce
    behind =
      isOver || !last
        ? { finishedUs: 0, sequence: 0 }
        : { finishedUs: Number(last.finished_us), sequence: Number(last.sequence) }
    return { blanked, isOver: isOver && removed < slotsAtOnce }
  }
}

async function clockBefore({ knex, nowUs, dialect }: Database, keptMs: number): Promise<number> {
  const [row] = dialect.rows(await knex.raw(`SELECT ${nowUs()} as now_us`))
  return Number(row?.now_us) - Math.round(keptMs * 1000)
}

async function oldEvents(
  { knex, tables }: Database,
  beforeUs: number,
  behind: { finishedUs: number; sequence: number },
): Promise<Row[]> {
  return knex(tables.events)
    .select('id', 'finished_us', 'sequence')
    .where({ is_blank: false })
    .where('finished_us', '<=', beforeUs)
    .where(later =>
      later
        .where('finished_us', '>', behind.finishedUs)
        .orWhere(same =>
          same.where('finished_us', behind.finishedUs).where('sequence', '>', behind.sequence),
        ),
    )
    .orderBy(['finished_us', 'sequence'])
    .limit(eventsAtOnce)
}

async function blankWhatIsOver(
  database: Database,
  trx: Knex.Transaction,
  old: Row[],
  beforeUs: number,
): Promise<number> {
  const locked = await lockEvents(
    database,
    trx,
    old.map(row => row.id as string),
  )
  // Looked at under the locks: a replay that has begun to tell one of them again is seen.
  const over: Row[] = await whereOver(
    database,
    trx,
    locked.map(row => row.id as string),
    beforeUs,
  )
  const ids = over.map(row => row.id as string)
  await blankEvents(database, trx, ids)
  await blankBookings(database, trx, over, beforeUs)
  return ids.length
}

/** Those whose booking is over too, which nobody is still to be told of, and whose body no other event still needs. */
function whereOver(
  { tables }: Database,
  trx: Knex.Transaction,
  ids: string[],
  beforeUs: number,
): Knex.QueryBuilder {
  return trx(`${tables.events} as e`)
    .leftJoin(`${tables.bookings} as b`, {
      'b.provider': 'e.provider',
      'b.account': 'e.account',
      'b.booking_id': 'e.booking_id',
    })
    .select('e.id', 'e.provider', 'e.account', 'e.booking_id')
    .whereIn('e.id', ids)
    .where('e.status', 'settled')
    .where('e.finished_us', '<=', beforeUs)
    .whereRaw('coalesce(b.ends_us, b.starts_us, 0) <= ?', [beforeUs])
    .whereNotExists(liveTells(tables, trx, beforeUs).whereRaw('t.event_id = e.id'))
    .whereNotExists(
      trx(`${tables.events} as c`)
        .select('c.id')
        .whereRaw('c.parent_id = e.id')
        .where(any =>
          any
            .whereNot('c.status', 'settled')
            .orWhereExists(liveTells(tables, trx, beforeUs).whereRaw('t.event_id = c.id')),
        ),
    )
}

/** Tells that are still to run, that ended not long ago, or that are dead letters: the latest of their subscriber, and dead. */
function liveTells(tables: Database['tables'], trx: Knex.Transaction, beforeUs: number): Knex.QueryBuilder {
  return trx(`${tables.tells} as t`)
    .select('t.event_id')
    .where(any =>
      any
        .where('t.status', 'pending')
        .orWhere('t.finished_us', '>', beforeUs)
        .orWhere(dead =>
          dead
            .where('t.status', 'dead')
            .whereNotExists(
              trx(`${tables.tells} as later`)
                .select('later.event_id')
                .whereRaw(
                  'later.event_id = t.event_id and later.subscriber = t.subscriber and later.sequence > t.sequence',
                ),
            ),
        ),
    )
}

/** Bookings of which no event holds anything any more, and which are over. */
async function blankBookings(
  { tables }: Database,
  trx: Knex.Transaction,
  events: Row[],
  beforeUs: number,
): Promise<void> {
  const keys = new Map(
    events
      .filter(row => row.booking_id !== null)
      .map(({ provider, account, booking_id }) => [
        JSON.stringify([provider, account, booking_id]),
        [provider, account, booking_id] as string[],
      ]),
  )
  const key = ['provider', 'account', 'booking_id']
  const sorted = [...keys].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)
  if (sorted.length === 0) return
  const held: Row[] = await trx(tables.events)
    .distinct(...key)
    .whereIn('id', eventsOfBookings({ knex: trx, tables }, [...new Set(sorted.map(([, , id = '']) => id))]))
    .where({ is_blank: false })
  const isHeld = new Set(held.map(row => JSON.stringify(key.map(column => row[column]))))
  for (const [provider = '', account = '', booking_id = ''] of sorted)
    if (!isHeld.has(JSON.stringify([provider, account, booking_id])))
      await trx(tables.bookings)
        .where({ provider, account, booking_id })
        .whereNotNull('details')
        .whereRaw('coalesce(ends_us, starts_us, 0) <= ?', [beforeUs])
        .update({ details: null })
}

/** By their key, as the database's own limits on DELETE are no standard. */
async function removeOldSlots({ knex, tables }: Database, beforeUs: number): Promise<number> {
  const old: Row[] = await knex(tables.slots)
    .select('resource', 'starts_us')
    .where('starts_us', '<=', beforeUs)
    .limit(slotsAtOnce)
  if (old.length > 0)
    await knex(tables.slots)
      .whereIn(
        ['resource', 'starts_us'],
        old.map(row => [row.resource as string, Number(row.starts_us)]),
      )
      .delete()
  return old.length
}

async function removeOldAlerts({ knex, tables }: Database, beforeUs: number): Promise<void> {
  const old: Row[] = await knex(tables.alerts)
    .select('id', 'subject')
    .where('handed_us', '<=', beforeUs)
    .limit(slotsAtOnce)
  if (old.length === 0) return
  await knex(tables.alerts)
    .whereIn(
      'id',
      old.map(row => Number(row.id)),
    )
    .delete()
  // Accounts and APIs stay the same few; each booking whose half is missing is a subject of its own, and it may never come.
  const halves = old.map(row => row.subject as string).filter(subject => subject.startsWith('missing:'))
  if (halves.length > 0) await knex(tables.streaks).whereIn('subject', halves).delete()
}
