import { describeError } from '../event/describe-error.js'
import { isBookingWebhooksError } from '../event/errors.js'
import type { Log } from '../event/log.js'
import { atMost } from './at-most.js'
import type { ClaimedLane, LaneKind } from './lane.js'
import type { Store } from './store.js'

export interface Dispatching {
  store: Pick<Store, 'claim' | 'nextDue' | 'onWork'>
  /** What is done with a claimed lane, by kind. */
  work: Record<LaneKind, (lane: ClaimedLane) => Promise<void>>
  subscribers: string[]
  owner: string
  /** How many lanes of a kind are worked on at once; of tell lanes, how many of each subscriber. */
  concurrency: Record<LaneKind, number>
  leaseMs: number
  pollMs: number
  log: Log
}

export interface Dispatcher {
  start(): void
  /** There may be work of this kind now. */
  hint(kind: LaneKind): void
  /** Claims and works until nothing is due, or it is to stop. */
  drain(): Promise<void>
  /** Whether somebody waits for all that is due now. */
  isDraining(): boolean
  /** Whether lanes are worked on right now. */
  isWorking(): boolean
  /** Claims no more and waits for what runs. */
  stop(): Promise<void>
}

/**
 * Claims due lanes and works on them, a bounded number of each kind at once. Each subscriber has places of its own, so that one that hangs takes
 * none of another's. Hints make it quick, polling makes it sure.
 */
export function dispatcher(dispatching: Dispatching): Dispatcher {
  const { store, subscribers, pollMs } = dispatching
  // Their claims take turns: all at once, on each hint, they would take every connection.
  const inTurn = atMost(1)
  const pools: Record<LaneKind, Pool[]> = {
    settle: [pool('settle', [], dispatching)],
    tell: subscribers.map(subscriber => pool('tell', [subscriber], dispatching, inTurn)),
    replay: [pool('replay', [], dispatching)],
  }
  const all = Object.values(pools).flat()
  let stopListening: (() => void) | undefined
  let isStopped = false
  const loops: Promise<void>[] = []
  let drains = 0

  const loop = async (one: Pool): Promise<void> => {
    while (!isStopped) {
      const claimed = await one.claim()
      if (claimed > 0 || isStopped) continue
      await one.rest(pollMs)
    }
  }

  const claimAll = async (): Promise<number> => {
    let claimed = 0
    for (const one of all) if (!isStopped) claimed += await one.claim()
    return claimed
  }
  const busyPools = () => all.filter(one => one.isBusy())

  const drainAll = async (): Promise<void> => {
    while (!isStopped) {
      // What runs while claiming may leave work behind, so only a look that began idle and found nothing is the last.
      const wasIdle = busyPools().length === 0
      if ((await claimAll()) > 0) continue
      const busy = busyPools()
      if (busy.length > 0) await Promise.race(busy.map(one => one.oneDone()))
      else if (wasIdle) return
    }
  }

  return {
    start() {
      if (loops.length > 0 || isStopped) return
      stopListening = store.onWork?.(() => {
        for (const one of all) one.hint()
      })
      loops.push(...all.map(loop))
    },
    hint(kind) {
      for (const one of pools[kind]) one.hint()
    },
    async drain() {
      drains += 1
      try {
        await drainAll()
      } finally {
        drains -= 1
      }
    },
    isDraining: () => drains > 0,
    isWorking: () => all.some(one => one.isWorking()),
    async stop() {
      isStopped = true
      stopListening?.()
      for (const one of all) one.hint()
      await Promise.all(loops)
      await Promise.all(all.map(one => one.allDone()))
    },
  }
}

interface Pool {
  /** Claims as many due lanes as there is room for and begins to work on them; how many it got. */
  claim(): Promise<number>
  /** Resolves on a hint, when room is made, when the next lane is due, or after `atMostMs`. */
  rest(atMostMs: number): Promise<void>
  hint(): void
  /** Whether lanes are worked on. */
  isWorking(): boolean
  /** Whether lanes are worked on, or are just being claimed. */
  isBusy(): boolean
  /** Resolves when a lane is done, or a claim. */
  oneDone(): Promise<unknown>
  allDone(): Promise<unknown>
}

function pool(
  kind: LaneKind,
  subscribers: string[],
  dispatching: Dispatching,
  inTurn: ReturnType<typeof atMost> = work => work(),
): Pool {
  const { store, owner, leaseMs, log } = dispatching
  const concurrency = dispatching.concurrency[kind]
  const running = new Set<Promise<void>>()
  let claiming: Promise<number> | null = null
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

  const claim = async (): Promise<number> => {
    const limit = concurrency - running.size
    if (limit <= 0) return 0
    try {
      const lanes = await store.claim({ kind, limit, leaseMs, owner, subscribers })
      for (const lane of lanes) work(lane)
      return lanes.length
    } catch (error) {
      log.error('the store gave no work', { kind, reason: describeError(error) })
      return 0
    }
  }

  return {
    claim() {
      isHinted = false
      // One at a time: two would both fill the same room.
      claiming ??= inTurn(claim).finally(() => {
        claiming = null
      })
      return claiming
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
    isWorking: () => running.size > 0,
    isBusy: () => running.size > 0 || claiming !== null,
    oneDone: () => Promise.race<unknown>([...running, ...(claiming ? [claiming] : [])]),
    async allDone() {
      await claiming
      await Promise.all(running)
    },
  }
}
