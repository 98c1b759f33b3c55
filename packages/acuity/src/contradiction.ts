import { FetchError, type StoredReading } from '@booking-webhooks/core'
import type { Appointment } from './appointment.js'
import { readNotification } from './notification.js'

/** Whether the API may lag behind its own webhook is not documented: these gaps, then what is there counts. */
const gapsMs = [2_000, 15_000, 60_000]

/**
 * Throws where a poke says `canceled` and the API, asked after it, says it is not: the answer is asked for again.
 * `rescheduled` beside nothing new is no contradiction, as another poke may have told it first.
 */
export function refuseContradiction(
  found: Appointment,
  serves: readonly StoredReading[],
  attempt: number,
): void {
  const retry = gapsMs[attempt - 1]
  if (retry === undefined || found.isCanceled || !serves.some(saysCanceled)) return
  throw new FetchError('Acuity says canceled, and its API says it is not, so far. It is asked again.', {
    retry,
    counts: true,
    attempts: gapsMs.length + 1,
    givenUp: 'dead',
  })
}

function saysCanceled({ body }: StoredReading): boolean {
  const notification = readNotification(body)
  return 'name' in notification && notification.name === 'canceled'
}
