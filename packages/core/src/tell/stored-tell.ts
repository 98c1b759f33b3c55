import type { BookingEvent } from '../event/event.js'

/** One event for one subscriber. */
export interface StoredTell {
  eventId: string
  subscriber: string
  /** `''` for the first telling, else the replay's id. */
  replay: string
  attempts: number
  /** The event as first told. */
  event: BookingEvent
  /** The trace context of the delivery that brought the event, as W3C `traceparent`; null where none was kept. */
  deliveredIn: string | null
  /** True on a replay that tells also what is overtaken. */
  isOvertakenToo: boolean
}

/** How one run of a tell ended. */
export type TellResult = { is: 'done' } | { is: 'failed'; error: string } | { is: 'dead'; error: string }
