import { randomUUID } from 'node:crypto'
import { invalidOption } from '../event/errors.js'
import { laneKey } from '../event/identity.js'
import type { Store } from '../inbox/store.js'
import type { EventFilter } from '../listing/listing-store.js'
import { nothingCounted, planPage } from './plan-page.js'
import { eventsAtOnce } from './replay.js'
import type { ReplayCounts, ReplayCursor, ReplayRequest, ReplayScope } from './replay-store.js'

export interface ReplayOptions {
  /** Only counts: nothing is told, decided or written. Default false. */
  dryRun?: boolean
  /** Forgets what `once` kept of the events, so that finished steps run again. Default false. */
  fresh?: boolean
  /** Tells also what is overtaken: events of bookings that have since ended or moved. Default false. */
  overtaken?: boolean
  /** Tells only this subscriber, also what it never heard: history for a new one. */
  subscriber?: string
}

/** A replay that was asked for. */
export interface AskedReplay {
  /** Under which `replays` shows how far it is; null after a dry run. */
  id: string | null
  /** How many events the filter means. */
  scope: ReplayScope
  /** After a dry run what would be done; else null, as it is yet to be seen. */
  counts: ReplayCounts | null
}

/**
 * Asks for stored events to be told again, or only counts them. The replay is written down, and any process that dispatches works on it.
 * Rejects with INVALID_OPTION where the subscriber is not known.
 */
export async function askForReplay(
  store: Store,
  filter: EventFilter,
  { dryRun = false, fresh = false, overtaken = false, subscriber }: ReplayOptions = {},
): Promise<AskedReplay> {
  await checkSubscriber(store, subscriber ?? filter.subscriber)
  const request: ReplayRequest = { filter, fresh, overtaken, subscriber: subscriber ?? null }
  const scope = await store.replayScope(filter)
  if (dryRun) return { id: null, scope, counts: await countAll(store, request, scope) }
  const id = `rpl_${randomUUID().replaceAll('-', '')}`
  await store.addReplay({ ...request, id, lane: laneKey('replay', id), scope })
  return { id, scope, counts: null }
}

async function checkSubscriber(store: Store, name: string | undefined): Promise<void> {
  if (name === undefined) return
  const known = (await store.subscribers()).map(subscriber => subscriber.name)
  if (!known.includes(name))
    throw invalidOption(
      `No subscriber ${JSON.stringify(name)} was ever started on this database. Known are: ${known.join(', ') || 'none'}.`,
    )
}

async function countAll(store: Store, request: ReplayRequest, scope: ReplayScope): Promise<ReplayCounts> {
  const subscribers = await store.subscribers()
  let counts = nothingCounted
  let cursor: ReplayCursor | null = null
  for (;;) {
    const page = await store.replayCandidates(request.filter, scope, cursor, eventsAtOnce)
    counts = planPage(page.candidates, request, subscribers, counts).counts
    cursor = page.candidates.at(-1)?.cursor ?? null
    if (page.isLast) return counts
  }
}
