/** What is done with a lane: its events are settled, or told to one subscriber, or a replay's tells are written. */
export type LaneKind = 'settle' | 'tell' | 'replay'

/** A lane in this process's hands until its lease runs out. Every write names the fence. */
export interface ClaimedLane {
  key: string
  kind: LaneKind
  fence: number
  wake: number
  /** Consecutive failures, for the back-off. */
  failures: number
  /** It came back through an expired lease: whoever had it died or hung. */
  isAbandoned: boolean
}

/** Which due lanes a process asks for, how many at most, and for how many milliseconds. */
export interface ClaimRequest {
  kind: LaneKind
  limit: number
  leaseMs: number
  /** Names the claiming process. */
  owner: string
  /** Only tell lanes of these subscribers; ignored for other lanes. */
  subscribers: string[]
}

/** Where a lane goes when its holder lets go of it. */
export type Release =
  /** Idle, unless something came meanwhile: then due at once. */
  | { to: 'idle' }
  /** Due again after so many milliseconds, with this count of consecutive failures. */
  | { to: 'later'; afterMs: number; failures: number }
