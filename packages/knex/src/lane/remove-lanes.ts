import { type Database, idleUs } from '../database/database.js'

/** Lanes are made again when they are needed; these are kept to spare that. In microseconds: a week. */
const keptUs = 7 * 86_400_000_000

/** One look costs the same however many lanes there are; the next one goes on behind it. */
const lanesAtOnce = 1000

/**
 * Removes idle lanes that were made long ago (a lane's fence began as the time when it was made), a thousand at a time. One that was
 * woken meanwhile stays: a lane is deleted only as it was read, and idle.
 */
export function laneRemover({ knex, tables, nowUs }: Database): () => Promise<void> {
  let behind = ''
  return async () => {
    const rows = await knex(tables.lanes)
      .select('lane', 'wake', 'due_us', 'fence', 'after_lane', knex.raw(`${nowUs()} as now_us`))
      .where('lane', '>', behind)
      .orderBy('lane')
      .limit(lanesAtOnce)
    behind = rows.length < lanesAtOnce ? '' : rows.at(-1).lane
    const old = rows.filter(
      row =>
        Number(row.due_us) === idleUs &&
        row.after_lane === null &&
        Number(row.fence) < Number(row.now_us) - keptUs,
    )
    if (old.length > 0)
      await knex(tables.lanes)
        .whereIn(
          ['lane', 'wake'],
          old.map(({ lane, wake }) => [lane, wake]),
        )
        .where({ due_us: idleUs })
        .whereNull('after_lane')
        .delete()
  }
}
