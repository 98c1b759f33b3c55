/** A subscriber's run of failures, after one more result was counted. */
export interface Streak {
  consecutiveFailures: number
  /** How long the streak before this success was; 0 where this is no success after failures. */
  endedStreak: number
  /** Identifies the streak, so that an alert is raised once over all processes. */
  streak: number
  /** Whether this result raised an alert, or a recovery after one. */
  isRaised: boolean
}
