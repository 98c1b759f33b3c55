import { describeError } from '../event/describe-error.js'
import { invalidOption } from '../event/errors.js'
import type { Log } from '../event/log.js'
import { expire } from '../retention/expire.js'
import type { Alerts } from '../tell/alerts.js'
import type { RegisteredSubscriber } from './registered-subscriber.js'
import type { Store } from './store.js'

export interface Housekeeping {
  store: Store
  /** The subscribers that this process runs where it works: always, or only when it is asked to. */
  subscribers: readonly RegisteredSubscriber[]
  /** See `InboxOptions`. */
  retentionDays: number
  alerts: Alerts
  log: Log
}

export interface Housekeeper {
  /** Says that the subscribers are run here, at most once a minute; registers again one that was retired meanwhile. Never rejects. */
  seen(): Promise<void>
  /** Says that the subscribers are run here, hands over what a process that died had raised, and sweeps each minute from now on. */
  start(): Promise<void>
  /** For a process that only receives: attends to alerts each minute. */
  attend(): void
  /** Looks for forgotten work, blanks and erases what is due, hands alerts over. Never rejects. */
  sweep(): Promise<void>
  /** Sweeps no more, and waits for a sweep that runs. */
  stop(): Promise<void>
}

const sweepMs = 60_000
const dayMs = 86_400_000

/** What has to be done from time to time, by whichever process. Throws INVALID_OPTION. */
export function housekeeper({ store, subscribers, retentionDays, alerts, log }: Housekeeping): Housekeeper {
  if (!(retentionDays > 0))
    throw invalidOption('retentionDays must be more than 0; Infinity keeps everything.')
  let seenMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isStopped = false

  const seen = async (): Promise<void> => {
    const known = new Set((await store.subscribers()).map(({ name }) => name))
    const retired = subscribers.filter(({ name }) => !known.has(name))
    if (retired.length > 0) await store.register(retired.map(({ name, takes }) => ({ name, takes })))
    await store.seen(subscribers.map(({ name }) => name))
    seenMs = performance.now()
  }

  const work = async (): Promise<void> => {
    try {
      await seen()
      const found = await store.sweep()
      if (found.lanes + found.waiting > 0) log.error('the sweep found forgotten work', found)
      await store.finishErasures()
      if (Number.isFinite(retentionDays)) {
        const events = await expire(store, retentionDays * dayMs, () => isStopped)
        if (events > 0) log.info('expired', { events })
      }
      await alerts.handOver()
    } catch (error) {
      log.error('the sweep failed', { reason: describeError(error) })
    }
  }
  const sweep = (): Promise<void> => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }

  return {
    async seen() {
      if (isStopped || performance.now() - seenMs < sweepMs) return
      await seen().catch(error =>
        log.error('the subscribers could not be marked as seen', { reason: describeError(error) }),
      )
    },
    async start() {
      await seen()
      if (isStopped) return
      void alerts.handOver()
      clearInterval(timer)
      timer = setInterval(() => void sweep(), sweepMs)
    },
    attend() {
      clearInterval(timer)
      timer = setInterval(() => void alerts.attend(), sweepMs).unref()
    },
    sweep,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
