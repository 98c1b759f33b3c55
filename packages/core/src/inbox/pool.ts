import { describeError } from '../event/describe-error.js'
import { isBookingWebhooksError } from '../event/errors.js'
import type { Log } from '../event/log.js'
import type { atMost } from './at-most.js'
import type { ClaimedLane, LaneKind } from './lane.js'
import type { Store } from './store.js'
import { unlessSilent } from './unless-silent.js'

/** What is worked on, and how. */
export interface Pooling {
  store: Pick<Store, 'claim' | 'nextDue'>
  /** What is done with a claimed lane, by kind. */
  work: Record<LaneKind, (lane: ClaimedLane) => Promise<void>>
  owner: string
  /** How many lanes of a kind are worked on at once; of tell lanes, how many of each subscriber. */
  concurrency: Record<LaneKind, number>
  leaseMs: number
  log: Log
}

/** Lanes of one kind, and of one subscriber, that this process works on. */
export interface Pool {
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

export function pool(
  kind: LaneKind,
  subscribers: string[],
  pooling: Pooling,
  inTurn: ReturnType<typeof atMost> = work => work(),
): Pool {
  const { store, owner, leaseMs, log } = pooling
  const concurrency = pooling.concurrency[kind]
  const running = new Set<Promise<void>>()
  let claiming: Promise<number> | null = null
  let isHinted = false
  let wake: (() => void) | undefined

  const hint = () => {
    isHinted = true
    wake?.()
  }

  const work = (lane: ClaimedLane): void => {
    const run = pooling.work[kind](lane)
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
      // What is claimed later than that has run out.
      const lanes = await unlessSilent(leaseMs, store.claim({ kind, limit, leaseMs, owner, subscribers }))
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
      const hasRoom = running.size < concurrency
      const due = hasRoom
        ? await unlessSilent(leaseMs, store.nextDue(kind, subscribers)).catch(() => null)
        : null
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
