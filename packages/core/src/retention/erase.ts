import { invalidOption } from '../event/errors.js'
import type { Store } from '../inbox/store.js'
import type { Erasure, ErasureSubject } from './retention-store.js'

export interface ErasureOptions {
  /** Takes back what subscribers are still to be told, instead of waiting until they were. Default false. */
  dropPending?: boolean
}

/**
 * Erases attendee, guests, bodies, snapshots, told events, step results and errors of every event of the bookings concerned. What is pending is
 * erased by the sweep as soon as it is not. Rejects with INVALID_OPTION for what is no address.
 */
export async function erase(
  store: Pick<Store, 'erase'>,
  subject: ErasureSubject,
  { dropPending = false }: ErasureOptions = {},
): Promise<Erasure> {
  if ('email' in subject && !/^\S+@\S+$/.test(subject.email))
    throw invalidOption('erase({ email }) takes one e-mail address.')
  return store.erase(subject, { dropPending })
}
