import type { ReplayRow } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import { isReplayed, isUnsettled } from '../schema/partial-indexes.js'

/** By the replay's id. */
export interface Outstanding {
  /** Its tells by how they stand, and how many events have one pending. */
  tells: Map<string, ReplayRow['tells'] & { pendingEvents: number }>
  /** Its events that are still to be decided. */
  deciding: Map<string, number>
}

/** Of a replay that has no tells. */
export const noTells = { pending: 0, done: 0, dead: 0, pendingEvents: 0 }

/** What of each replay is still to run, and how the rest of it ended. */
export async function outstandingOf({ knex, tables }: Database, ids: string[]): Promise<Outstanding> {
  const told: Row[] = await knex(tables.tells)
    .select('replay', 'status')
    .count('* as tells')
    .countDistinct('event_id as events')
    .whereIn('replay', ids)
    .whereRaw(isReplayed)
    .groupBy('replay', 'status')
  const tells: Outstanding['tells'] = new Map()
  for (const { replay, status, tells: count, events } of told) {
    const one = { ...(tells.get(replay as string) ?? noTells), [status as string]: Number(count) }
    tells.set(replay as string, status === 'pending' ? { ...one, pendingEvents: Number(events) } : one)
  }
  const undecided: Row[] = await knex(tables.events)
    .select('replay')
    .count('* as events')
    .where({ status: 'pending' })
    .whereRaw(isUnsettled)
    .whereIn('replay', ids)
    .groupBy('replay')
  return {
    tells,
    deciding: new Map(undecided.map(row => [row.replay as string, Number(row.events)])),
  }
}
