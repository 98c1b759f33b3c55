import { hashParts } from '../event/identity.js'
import type { Store } from '../inbox/store.js'

const prefix = 'missing:'

/** The database's limit, in characters. */
const longestSubject = 400

/**
 * The subject of the alert that a booking is only known by the half of a reschedule that names it. One that would be too long has a hash in place
 * of the names, which the alert's fields have too.
 */
export function missingHalf(provider: string, account: string, bookingId: string): string {
  const subject = `${prefix}${provider}/${account.replaceAll('/', '%2F')}/${bookingId}`
  return subject.length <= longestSubject ? subject : `${prefix}${provider}/${hashParts(account, bookingId)}`
}

/** Whether a subject of alerts is such a half, and its booking is known by now; of a hash that cannot be seen. */
export async function hasCome(subject: string, store: Pick<Store, 'booking'>): Promise<boolean> {
  if (!subject.startsWith(prefix)) return false
  const [provider = '', account = '', ...bookingId] = subject.slice(prefix.length).split('/')
  const booking = await store.booking(provider, account.replaceAll('%2F', '/'), bookingId.join('/'))
  return booking !== null && booking.status !== null
}
