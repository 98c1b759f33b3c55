import { invalidOption } from '../event/errors.js'
import type { Instant } from '../event/instant.js'

/** What was taken back of a subscriber that is no more. */
export interface Retired {
  /** Callbacks that were still to run. */
  pending: number
  /** Dead letters. */
  dead: number
}

/** What became of a subscriber that was to be retired. */
export type Retirement =
  | ({ is: 'retired' } & Retired)
  | { is: 'running'; lastSeenAt: Instant }
  | { is: 'unknown' }

/** What retiring a subscriber needs of a store. */
export interface RetirementStore {
  /**
   * Forgets a subscriber that no process has had for five minutes, and takes back what it was still to be told, and its dead letters. What it
   * was told stays in the ledger.
   */
  retire(subscriber: string): Promise<Retirement>
}

/** Retires a subscriber. Rejects with INVALID_OPTION where it is not known, or where a process has it. */
export async function retire(store: RetirementStore, subscriber: string): Promise<Retired> {
  const retirement = await store.retire(subscriber)
  switch (retirement.is) {
    case 'retired':
      return { pending: retirement.pending, dead: retirement.dead }
    case 'running':
      throw invalidOption(
        `A process had the subscriber '${subscriber}' at ${retirement.lastSeenAt}. Take it out of every process, and retire it five minutes later.`,
      )
    case 'unknown':
      throw invalidOption(`No subscriber '${subscriber}' is known to this database.`)
  }
}
