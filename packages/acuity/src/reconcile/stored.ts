import type { BookingRow, Inbox } from '@booking-webhooks/core'

export interface StoredOptions {
  account: string
  signal: AbortSignal
  isListed(id: string): boolean
  isMissing(row: BookingRow): boolean
}

/** What the inbox holds of the listed appointments, by id, and the ids of those that should have been listed. */
export async function storedOf(
  inbox: Pick<Inbox, 'bookings'>,
  { account, signal, isListed, isMissing }: StoredOptions,
): Promise<{ known: Map<string, BookingRow>; missing: string[] }> {
  const known = new Map<string, BookingRow>()
  const missing = new Set<string>()
  let cursor: string | null = null
  do {
    signal.throwIfAborted()
    const page = await inbox.bookings({ provider: 'acuity', account }, { limit: 1_000, cursor })
    for (const row of page.rows) {
      if (isListed(row.id)) known.set(row.id, row)
      else if (isMissing(row)) missing.add(row.id)
    }
    cursor = page.cursor
  } while (cursor !== null)
  return { known, missing: [...missing] }
}
