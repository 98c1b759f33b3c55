import { holdLane } from '../inbox/hold-lane.js'
import type { ClaimedLane } from '../inbox/lane.js'
import type { Store } from '../inbox/store.js'
import { planPage } from './plan-page.js'
import type { ReplayPage, StoredReplay } from './replay-store.js'

export interface Replaying {
  store: Store
  leaseMs: number
  /** True once the process wants to stop. */
  isClosing(): boolean
  /** Told after each page: there may be something to tell or to settle. */
  worked(): void
}

/** How many events are looked at, and written in one transaction, at once: a commit's cost is spread thin by then. */
export const eventsAtOnce = 100

/** No further page while so many callbacks of the replay are still to run, so that live events find lanes that are not full. */
const outstandingAtMost = 500

/** How long a replay that waits for its callbacks rests before it looks again, in milliseconds. */
const restMs = 250

/**
 * Works on one replay: page by page, in the order in which its events were settled. A page's tells and the cursor are one commit, so a
 * process that dies leaves nothing half done, and whoever has the lane next goes on from there.
 */
export async function replay(lane: ClaimedLane, replaying: Replaying): Promise<void> {
  const { store } = replaying
  await holdLane(store, lane, replaying.leaseMs, async signal => {
    for (;;) {
      signal.throwIfAborted()
      const one = await store.replayOf(lane)
      if (one && (replaying.isClosing() || one.outstanding >= outstandingAtMost)) {
        const afterMs = replaying.isClosing() ? 0 : restMs
        await store.release(lane, { to: 'later', afterMs, failures: 0 })
        return
      }
      const page = one && (await nextPage(one, store))
      if (page) await store.writeReplayPage(lane, one, page)
      replaying.worked()
      if (!page || page.isLast) {
        await store.release(lane, { to: 'idle' })
        return
      }
    }
  })
}

async function nextPage(one: StoredReplay, store: Store): Promise<ReplayPage> {
  const { candidates, isLast } = await store.replayCandidates(one.filter, one.scope, one.cursor, eventsAtOnce)
  return {
    ...planPage(candidates, one, await store.subscribers(), one.counts),
    cursor: candidates.at(-1)?.cursor ?? one.cursor,
    isLast,
  }
}
