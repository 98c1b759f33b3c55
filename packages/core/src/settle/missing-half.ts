import type { Store } from '../inbox/store.js'

const prefix = 'missing:'

/** The subject of the alert that a booking is only known by the half of a reschedule that names it. */
export function missingHalf(provider: string, account: string, bookingId: string): string {
  return `${prefix}${provider}/${account.replaceAll('/', '%2F')}/${bookingId}`
}

/** Whether a subject of alerts is such a half, and its booking is known by now. */
export async function hasCome(subject: string, store: Pick<Store, 'booking'>): Promise<boolean> {
  if (!subject.startsWith(prefix)) return false
  const [provider = '', account = '', ...bookingId] = subject.slice(prefix.length).split('/')
  const booking = await store.booking(provider, account.replaceAll('%2F', '/'), bookingId.join('/'))
  return booking !== null && booking.status !== null
}
