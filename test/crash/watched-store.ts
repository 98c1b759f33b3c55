import { appendFileSync } from 'node:fs'
import { type ClaimedLane, isBookingWebhooksError, type Store } from '@booking-webhooks/core'

/** What a process did to a lane, written down so that it is known however the process ends. Times are this machine's, in milliseconds. */
export interface LaneNote {
  what: 'claimed' | 'renewed' | 'not renewed' | 'wrote' | 'came too late' | 'lets go'
  lane: string
  fence: number
  pid: number
  /** Before the store was asked. */
  asked: number
  /** After it had answered. */
  at: number
}

/** The store, with a line in `file` for each claim, and for each write under a fence: whether it went through or came too late. */
export function watchedStore(store: Store, file: string): Store {
  const note = (
    what: LaneNote['what'],
    { key, fence }: Pick<ClaimedLane, 'key' | 'fence'>,
    asked: number,
  ) => {
    const line: LaneNote = { what, lane: key, fence, pid: process.pid, asked, at: Date.now() }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
  }
  /** Runs a write of the lane's holder. */
  const fenced =
    <Rest extends unknown[], Result>(work: (lane: ClaimedLane, ...rest: Rest) => Promise<Result>) =>
    async (lane: ClaimedLane, ...rest: Rest): Promise<Result> => {
      const asked = Date.now()
      try {
        const result = await work(lane, ...rest)
        note(result === false ? 'came too late' : 'wrote', lane, asked)
        return result
      } catch (error) {
        if (isBookingWebhooksError(error, 'LEASE_LOST')) note('came too late', lane, asked)
        throw error
      }
    }
  const release = fenced(store.release)
  return {
    ...store,
    async claim(request) {
      const asked = Date.now()
      const lanes = await store.claim(request)
      for (const lane of lanes) note('claimed', lane, asked)
      return lanes
    },
    async renew(lane, leaseMs) {
      const asked = Date.now()
      const isHeld = await store.renew(lane, leaseMs)
      note(isHeld ? 'renewed' : 'not renewed', lane, asked)
      return isHeld
    },
    release(lane, to) {
      note('lets go', lane, Date.now())
      return release(lane, to)
    },
    saveSnapshot: fenced(store.saveSnapshot),
    fetchFailed: fenced(store.fetchFailed),
    settle: fenced(store.settle) as Store['settle'],
    beginAttempt: fenced(store.beginAttempt),
    endAttempt: fenced(store.endAttempt),
    saveStep: fenced(store.saveStep),
  }
}
