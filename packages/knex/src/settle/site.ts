import type { Settlement, StoredEvent } from '@booking-webhooks/core'

/** What is settled, where, and what that brings. */
export interface Site {
  /** The event as it was before. */
  event: StoredEvent
  lane: string
  settlement: Settlement
}
