import { type Micros, parseInstant } from '@booking-webhooks/core'
import { InvalidArgumentError } from 'commander'

/** An ISO 8601 instant with an offset (`Z`, `+01:00`), or a day, which begins at midnight UTC; in microseconds. */
export function instantUs(text: string): Micros {
  const micros = parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (micros === null)
    throw new InvalidArgumentError(
      'Write an ISO 8601 instant with its offset, of the years 1685 to 2254, such as 2027-03-01T09:00:00Z.',
    )
  return micros
}
