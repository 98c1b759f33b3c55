import type { StoredTell } from '@booking-webhooks/core'
import type { Row } from '../dialects/dialect.js'

type Named = Pick<StoredTell, 'eventId' | 'subscriber' | 'replay'>

/** What names a tell, in the order of its unique constraint. */
export const tellKeyColumns = ['event_id', 'subscriber', 'replay'] as const

/** The values of those columns. */
export function tellKey({ eventId, subscriber, replay }: Named): [string, string, string] {
  return [eventId, subscriber, replay]
}

/** The same as a row. */
export function tellRow({ eventId, subscriber, replay }: Named): Row {
  return { event_id: eventId, subscriber, replay }
}

/** One text for each tell. */
export function tellName(tell: Named): string {
  return JSON.stringify(tellKey(tell))
}
