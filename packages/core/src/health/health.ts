import type { Instant } from '../event/instant.js'

/** What is to be done, and since when the oldest of it waits. */
export interface Backlog {
  pending: number
  /** How long the oldest has waited, in milliseconds; null where nothing waits. */
  oldestMs: number | null
}

/** The numbers that tell whether all is well, by the database's clock. */
export interface Health {
  /** `sqlite`, `postgres`, `mysql`. */
  store: string
  schema: { version: number; needed: number; isCurrent: boolean }
  /** By how much this process's clock is ahead of the database's, in milliseconds. Leases and back-off do not mind; signatures that may be too old do. */
  clockAheadMs: number
  /** Events to be decided, and callbacks to run. Replays are left out of their ages: they take up what is old. */
  backlog: { events: Backlog; tells: Backlog }
  /** Conflicts whose slots are held. */
  waiting: number
  /** Events whose fetches, and callbacks whose attempts, are used up. */
  dead: { events: number; tells: number }
  /** Lanes that rest after a failure. */
  lanesBackingOff: number
  /** Subscribers with callbacks to run that no process has had for five minutes: renamed, removed, or their worker is down. See `retire`. */
  unseen: { subscriber: string; pending: number; lastSeenAt: Instant | null }[]
  /** What failed the last time: subjects of alerts, and how often one after another. At most 100. */
  failing: { subject: string; consecutiveFailures: number }[]
  /** Alerts that nobody has been handed yet. */
  alertsToHandOver: number
  /** Replays that are not over. */
  replaysRunning: number
  /** Events that are to be erased once they are not pending. */
  erasuresWaiting: number
}

/** What health needs of a store. */
export interface HealthStore {
  health(): Promise<Health>
  /** A process has these subscribers now. */
  seen(subscribers: string[]): Promise<void>
}
