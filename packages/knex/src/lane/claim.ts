import type { ClaimedLane, ClaimRequest } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'

/**
 * Takes due lanes, those first that have been due for longest. Tell lanes are claimed by subscriber, each getting a fair share of the limit and beginning with another one each time,
 * so that one with a long backlog starves no other.
 */
export async function claimLanes(database: Database, request: ClaimRequest): Promise<ClaimedLane[]> {
  const claimed: ClaimedLane[] = []
  let subscribers = request.kind !== 'tell' ? [''] : rotated(request.subscribers)
  // What some leave of their share goes to those who have more.
  while (subscribers.length > 0 && claimed.length < request.limit) {
    const hungry: string[] = []
    for (const [index, subscriber] of subscribers.entries()) {
      const limit = Math.ceil((request.limit - claimed.length) / (subscribers.length - index))
      if (limit === 0) break
      const rows = await database.dialect.claimDue(database, { ...request, subscriber, limit })
      claimed.push(...rows.map(row => claimedLane(request.kind, row)))
      if (rows.length === limit) hungry.push(subscriber)
    }
    subscribers = hungry
  }
  return claimed
}

function rotated(names: string[]): string[] {
  const start = Math.floor(Math.random() * names.length)
  return [...names.slice(start), ...names.slice(0, start)]
}

function claimedLane(kind: ClaimRequest['kind'], row: Row): ClaimedLane {
  return {
    key: row.lane as string,
    kind,
    fence: Number(row.fence),
    wake: Number(row.wake),
    failures: Number(row.failures),
    isAbandoned: Boolean(row.is_abandoned),
  }
}

/** The lanes that are due, as SQL with the bindings kind, subscriber and limit. */
export function dueLanes({ tables, nowUs }: Database, columns = 'lane'): string {
  return `SELECT ${columns} FROM ${tables.lanes}
    WHERE kind = ? AND subscriber = ? AND due_us <= ${nowUs()} AND after_lane IS NULL
    ORDER BY due_us LIMIT ?`
}

/** What claiming does to a lane's row, as SQL with the bindings lease in microseconds and owner. A lane whose owner is still set was left. */
export function claimSets({ nowUs }: Database): string {
  return `due_us = ${nowUs()} + ?, fence = fence + 1, is_abandoned = (owner IS NOT NULL), owner = ?`
}

/** What a claim reads back. */
export const claimColumns = 'lane, fence, wake, failures, is_abandoned'
