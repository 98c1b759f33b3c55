import type { Stage } from '../observe/observer.js'
import type { StoredTell } from './stored-tell.js'

/** What a log line of a tell is about. */
export function aboutOf({ eventId, event, subscriber }: StoredTell): {
  event: string
  booking: string | null
  subscriber: string
} {
  return { event: eventId, booking: event.booking?.id ?? null, subscriber }
}

/** A run of a tell, as observers are told of it. */
export function stageOf({ event, subscriber, replay, deliveredIn }: StoredTell, attempt: number): Stage {
  const { id, type, provider, account } = event
  const isReplay = replay !== ''
  return { stage: 'tell', event: id, provider, account, subscriber, type, attempt, isReplay, deliveredIn }
}
