import { textOrNull } from '@booking-webhooks/core'
import { answerIn } from './answers.js'
import type { Delivery } from './delivery.js'
import type { BookingHappening, Happening } from './happening.js'
import type { CalcomPayload } from './payload.js'

/**
 * What a body leaves out although the event needs it, and the API knows: the booking that this one replaced, its times and host,
 * or the rest of a series.
 */
export type Missing = 'link' | 'times' | 'series'

export function missingIn(happening: Happening, { payload, trigger }: Delivery): Missing | null {
  if (happening.of === 'other') return null
  const { kind } = happening.reach
  if (kind === 'canceled' || kind === 'rejected') return payload.recurringEvent ? 'series' : null
  if (kind !== 'created' && kind !== 'requested' && kind !== 'moved') return null
  if (lacksLink(happening, trigger, payload)) return 'link'
  return happening.fact.startsUs === null || happening.fact.resources === null ? 'times' : null
}

/**
 * A reschedule of a booking that waits for the host is sent as a request, and may lack the link (cal.diy#21169). These are signs
 * that the API is worth asking, never proof of what was replaced.
 */
function lacksLink(
  { reach: { previous, target, kind }, uid }: BookingHappening,
  trigger: string,
  payload: CalcomPayload,
): boolean {
  const isSeat = target.kind === 'meeting' || (target.kind === 'person' && target.named !== uid)
  if (previous || isSeat || (target.kind === 'booking' && target.id !== uid)) return false
  if (trigger === 'BOOKING_RESCHEDULED' || kind === 'moved') return true
  if (textOrNull(answerIn(payload.responses, 'rescheduleReason')) !== null) return true
  // The calendar's id is kept over a reschedule as a rule, and begins as `<uid>@Cal.com`.
  const [, first] = /^(.+)@cal\.com$/i.exec(textOrNull(payload.iCalUID) ?? '') ?? []
  return first !== undefined && first !== uid
}
