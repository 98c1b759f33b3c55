import { invalidOption } from '../event/errors.js'
import type { Store } from '../inbox/store.js'
import { checked, flag, text } from '../listing/checked-filter.js'
import type { Erasure, ErasureSubject } from './retention-store.js'

export interface ErasureOptions {
  /** Takes back what subscribers are still to be told, instead of waiting until they were. Default false. */
  dropPending?: boolean
}

/**
 * Erases attendee, guests, bodies, snapshots, told events, step results and errors of every event of the bookings concerned. What is pending is
 * erased by the sweep as soon as it is not. Rejects with INVALID_OPTION for what names no guest.
 */
export async function erase(
  store: Pick<Store, 'erase'>,
  subject: ErasureSubject,
  options: ErasureOptions = {},
): Promise<Erasure> {
  const { dropPending = false } = checked('erase(subject, options)', options, { dropPending: flag })
  checkSubject(subject)
  if ('email' in subject && !/^\S+@\S+$/.test(subject.email))
    throw invalidOption('erase({ email }) takes one e-mail address.')
  return store.erase(subject, { dropPending })
}

/** Throws INVALID_OPTION unless the field is there that says whose data is meant: without it nothing, or anything, would be erased. */
function checkSubject(subject: ErasureSubject): void {
  if (Object(subject).email === undefined && Object(subject).booking === undefined)
    throw invalidOption('erase(subject) needs { booking } or { email }.')
  if ('email' in subject) checked('erase({ email })', subject, { email: text })
  else checked('erase({ booking })', subject, { booking: text, provider: text, account: text })
}
