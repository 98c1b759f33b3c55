import { atMost } from './at-most.js'
import type { LaneKind } from './lane.js'
import { type Pool, type Pooling, pool } from './pool.js'
import type { Store } from './store.js'

export interface Dispatching extends Pooling {
  store: Pooling['store'] & Pick<Store, 'onWork'>
  subscribers: string[]
  pollMs: number
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
