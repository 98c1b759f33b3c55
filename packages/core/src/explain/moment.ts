import type { Instant } from '../event/instant.js'

/** An instant as people read it, to the second: `2027-03-01 09:30:00 UTC`. */
export function tellMoment(instant: Instant): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`
}
