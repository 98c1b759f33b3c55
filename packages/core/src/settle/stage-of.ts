import type { StoredEvent } from '../inbox/stored-event.js'
import type { Stage } from '../observe/observer.js'

/** An event's settling or fetching, for whoever observes it. */
export function stageOf(stage: 'settle' | 'fetch', { id, provider, account, headers }: StoredEvent): Stage {
  return { stage, event: id, provider, account, deliveredIn: headers.traceparent ?? null }
}
