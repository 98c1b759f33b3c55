import { count } from '../database/count.js'
import type { Database } from '../database/database.js'
import { isReplayed, isUnsettled } from '../schema/partial-indexes.js'

/** How many replays are not over: not planned to the end, or with something still to tell or to decide. */
export async function replaysRunning({ knex, tables }: Database): Promise<number> {
  const told = knex(`${tables.tells} as t`)
    .select('t.replay')
    .where('t.status', 'pending')
    .whereRaw(`t.${isReplayed}`)
    .whereRaw('t.replay = r.id')
  const decided = knex(`${tables.events} as e`)
    .select('e.replay')
    .where('e.status', 'pending')
    .whereRaw(`e.${isUnsettled}`)
    .whereRaw('e.replay = r.id')
  return count(
    knex(`${tables.replays} as r`).where(any =>
      any.whereNull('r.finished_us').orWhereExists(told).orWhereExists(decided),
    ),
  )
}
