import { formatInstant, type Retirement } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { transaction } from '../database/transaction.js'
import type { Row } from '../dialects/dialect.js'
import { microsOrNull } from '../rows/event-row.js'
import { isUntold } from '../schema/partial-indexes.js'
import { unseenUs } from './seen-subscribers.js'

/** One part: a commit that keeps nobody waiting. */
const rowsAtOnce = 500

/** Forgets a subscriber that no process has: first that it is to be told anything, then what it was still to be told, part by part. */
export async function retireSubscriber(database: Database, subscriber: string): Promise<Retirement> {
  const { tables, nowUs, dialect } = database
  const known = await transaction(database, async trx => {
    const query = trx(tables.subscribers).select('seen_us', trx.raw(`${nowUs()} as now_us`))
    const [row]: Row[] = await dialect.forUpdate(query.where({ name: subscriber }))
    const seenUs = microsOrNull(row?.seen_us)
    if (seenUs !== null && seenUs >= Number(row?.now_us) - unseenUs)
      return { is: 'running', lastSeenAt: formatInstant(seenUs) } as const
    await trx(tables.subscribers).where({ name: subscriber }).delete()
    await trx(tables.streaks)
      .where({ subject: `subscriber:${subscriber}` })
      .delete()
    return { is: row ? 'retired' : 'unknown' } as const
  })
  if (known.is === 'running') return known
  const taken = { pending: 0, dead: 0 }
  for (;;) {
    const part = await transaction(database, trx => takeBack(database, trx, subscriber))
    for (const { status } of part) taken[status as keyof typeof taken] += 1
    if (part.length < rowsAtOnce) break
  }
  while ((await transaction(database, trx => removeLanes(database, trx, subscriber))) === rowsAtOnce);
  // Who settled an event while it was retired may have written a tell more; retired again, it is known by that.
  const isKnown = known.is === 'retired' || taken.pending + taken.dead > 0
  return isKnown ? { is: 'retired', ...taken } : { is: 'unknown' }
}

async function takeBack({ tables }: Database, trx: Knex.Transaction, subscriber: string): Promise<Row[]> {
  const rows: Row[] = await trx(tables.tells)
    .select('sequence', 'status')
    .where({ subscriber })
    .whereRaw(isUntold)
    .limit(rowsAtOnce)
  const sequences = rows.map(row => Number(row.sequence))
  await trx(tables.tells).whereIn('sequence', sequences).delete()
  return rows
}

async function removeLanes({ tables }: Database, trx: Knex.Transaction, subscriber: string): Promise<number> {
  const rows: Row[] = await trx(tables.lanes)
    .select('lane')
    .where({ kind: 'tell', subscriber })
    .limit(rowsAtOnce)
  const lanes = rows.map(row => row.lane as string)
  await trx(tables.lanes).whereIn('lane', lanes).delete()
  return lanes.length
}
