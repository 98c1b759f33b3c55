import { FetchError, type StoredReading } from '@booking-webhooks/core'
import type { Appointment } from './appointment.js'
import { patience, type Tries, timesAlike } from './failure.js'
import { readNotification } from './notification.js'

/** Whether the API may lag behind its own webhook is not documented: these gaps, then what is there counts. */
const gapsMs = [2_000, 15_000, 60_000]

const message = 'Acuity says canceled, and its API says it is not, so far. It is asked again.'

/**
 * Throws where a poke says `canceled` and the API, asked after it, says it is not: the answer is asked for again.
 * `rescheduled` beside nothing new is no contradiction, as another poke may have told it first.
 */
export function refuseContradiction(
  found: Appointment,
  serves: readonly StoredReading[],
  tries: Tries,
): void {
  const retry = gapsMs[timesAlike(message, tries) - 1]
  if (retry === undefined || tries.attempt >= patience || found.isCanceled || !serves.some(saysCanceled))
    return
  throw new FetchError(message, { retry, counts: true, attempts: patience, givenUp: 'dead' })
}

function saysCanceled({ body }: StoredReading): boolean {
  const notification = readNotification(body)
  return 'name' in notification && notification.name === 'canceled'
}
