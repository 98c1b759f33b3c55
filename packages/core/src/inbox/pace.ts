import { invalidOption } from '../event/errors.js'

/** How fast an inbox works. */
export interface Pace {
  /** How many events each subscriber is told, and how many of each provider are fetched, at once. */
  concurrency: number
  /** How often the store is asked for work that no hint announced, in milliseconds. */
  pollMs: number
  /** How long a lane is held without renewal, in milliseconds. */
  leaseMs: number
}

/** A lease is renewed at a third of it: a process that is busy, or a database that is slow, for so long would lose each. */
const shortestLeaseMs = 1_000

/** The pace of these options: 16, 1 s and 30 s where they say nothing. Throws INVALID_OPTION for what would never work, or never rest. */
export function paceOf({ concurrency = 16, pollMs = 1_000, leaseMs = 30_000 }: Partial<Pace>): Pace {
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw invalidOption('concurrency must be a whole number from 1 on.')
  // A timer that is set for longer fires at once.
  for (const [name, value, least] of [
    ['pollMs', pollMs, 1],
    ['leaseMs', leaseMs, shortestLeaseMs],
  ] as const)
    if (!(value >= least && value < 2 ** 31))
      throw invalidOption(`${name} must be a number of milliseconds from ${least} to 2147483647.`)
  return { concurrency, pollMs, leaseMs }
}
