import { describeError } from '../event/describe-error.js'
import { isBookingWebhooksError } from '../event/errors.js'
import type { Log } from '../event/log.js'
import type { ClaimedLane, LaneKind, Store } from './store.js'

export interface Dispatching {
  store: Pick<Store, 'claim' | 'nextDue' | 'onWork'>
  /** What is done with a claimed lane, by kind. */
  work: Record<LaneKind, (lane: ClaimedLane) => Promise<void>>
  subscribers: string[]
  owner: string
  concurrency: number
  leaseMs: number
  pollMs: number
  log: Log
}

export interface Dispatcher {
  start(): void
  /** There may be work of this kind now. */
  hint(kind: LaneKind): void
  /** Claims and works until nothing is due. */
  drain(): Promise<void>
  /** Claims no more and waits for what runs. */
  stop(): Promise<void>
}

/** Claims due lanes and works on them, a bounded number of each kind at once. Hints make it quick, polling makes it sure. */
export function dispatcher(dispatching: Dispatching): Dispatcher {
  const { store, pollMs } = dispatching
  const settle = pool('settle', dispatching)
  const tell = pool('tell', dispatching)
  const pools = { settle, tell }
  let stopListening: (() => void) | undefined
  let isStopped = false
  const loops: Promise<void>[] = []

  const loop = async (one: Pool): Promise<void> => {
    while (!isStopped) {
      const claimed = await one.claim()
      if (claimed > 0 || isStopped) continue
      await one.rest(pollMs)
    }
  }

  return {
    start() {
      if (loops.length > 0 || isStopped) return
      stopListening = store.onWork?.(() => {
        settle.hint()
        tell.hint()
      })
      loops.push(loop(settle), loop(tell))
    },
    hint: kind => pools[kind].hint(),
    async drain() {
      do {
        while ((await settle.claim()) + (await tell.claim()) > 0);
        const busy = [settle, tell].filter(one => one.size() > 0)
        // A pool that has nothing to do must not win the race: the loop would spin, and no answer of an API would get a turn.
        if (busy.length > 0) await Promise.race(busy.map(one => one.oneDone()))
      } while (settle.size() + tell.size() > 0 || (await settle.claim()) + (await tell.claim()) > 0)
    },
    async stop() {
      isStopped = true
      stopListening?.()
      settle.hint()
      tell.hint()
      await Promise.all(loops)
      await Promise.all([settle.allDone(), tell.allDone()])
    },
  }
}

interface Pool {
  /** Claims as many due lanes as there is room for and begins to work on them; how many it got. */
  claim(): Promise<number>
  /** Resolves on a hint, when room is made, when the next lane is due, or after `atMostMs`. */
  rest(atMostMs: number): Promise<void>
  hint(): void
  size(): number
  /** Resolves when a lane is done, at once when none runs. */
  oneDone(): Promise<unknown>
  allDone(): Promise<unknown>
}

function pool(kind: LaneKind, dispatching: Dispatching): Pool {
  const { store, subscribers, owner, concurrency, leaseMs, log } = dispatching
  const running = new Set<Promise<void>>()
  let isHinted = false
  let wake: (() => void) | undefined

  const hint = () => {
    isHinted = true
    wake?.()
  }

  const work = (lane: ClaimedLane): void => {
    const run = dispatching.work[kind](lane)
      .catch(error => {
        if (isBookingWebhooksError(error, 'LEASE_LOST')) log.warn('lease lost', { lane: lane.key })
        else log.error(`${kind} failed`, { lane: lane.key, reason: describeError(error) })
      })
      .finally(() => {
        running.delete(run)
        hint()
      })
    running.add(run)
  }

  return {
    async claim() {
      isHinted = false
      const room = concurrency - running.size
      if (room <= 0 || (kind === 'tell' && subscribers.length === 0)) return 0
      try {
        const lanes = await store.claim({ kind, limit: room, leaseMs, owner, subscribers })
        for (const lane of lanes) work(lane)
        return lanes.length
      } catch (error) {
        log.error('the store gave no work', { kind, reason: describeError(error) })
        return 0
      }
    },
    async rest(atMostMs) {
      const due = running.size < concurrency ? await store.nextDue(kind, subscribers).catch(() => null) : null
      if (isHinted) return
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, Math.min(atMostMs, Math.max(due ?? atMostMs, 1)))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      wake = undefined
    },
    hint,
    size: () => running.size,
    oneDone: () => (running.size === 0 ? Promise.resolve() : Promise.race(running)),
    allDone: () => Promise.all(running),
  }
}
