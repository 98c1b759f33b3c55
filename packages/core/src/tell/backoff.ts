import { invalidOption } from '../event/errors.js'

export interface BackoffOptions {
  /** The first gap's upper bound, in milliseconds. */
  baseMs: number
  /** No gap is longer than this, in milliseconds. */
  capMs: number
}

/** 25 attempts between 5 s and 2 h spread over about a day: 12 doublings sum to ~2.3 h of mean gaps, 12 capped ones to ~12–24 h. */
export const defaultBackoff: BackoffOptions = { baseMs: 5_000, capMs: 7_200_000 }

/** Longer than anybody waits, and no clock of a database holds Infinity. In milliseconds: a year. */
const longestMs = 365 * 86_400_000

/** The back-off of these options, the default where they say nothing. Throws INVALID_OPTION, which calls them `name`. */
export function backoffOf(given: Partial<BackoffOptions> | undefined, name: string): BackoffOptions {
  const { baseMs = defaultBackoff.baseMs, capMs = defaultBackoff.capMs } = given ?? {}
  if (!(baseMs > 0 && capMs >= baseMs && capMs <= longestMs))
    throw invalidOption(`${name} needs 0 < baseMs <= capMs, in milliseconds, and capMs at most a year.`)
  return { baseMs, capMs }
}

/** Full jitter: a gap anywhere between 0 and base · 2^(failures − 1), at most the cap. `failures` counts from 1. */
export function backoff(
  failures: number,
  options: BackoffOptions,
  random: () => number = Math.random,
): number {
  const ceiling = Math.min(options.capMs, options.baseMs * 2 ** Math.min(failures - 1, 52))
  return Math.ceil(random() * ceiling)
}
