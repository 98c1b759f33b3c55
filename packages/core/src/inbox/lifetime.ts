import { addressHash } from '../event/identity.js'
import type { Micros } from '../event/instant.js'
import type { Log } from '../event/log.js'
import type { Observer } from '../observe/observer.js'
import { defaultRecorder, type Recorder } from '../receive/recorder.js'
import type { Alerts } from '../tell/alerts.js'
import { atLongest } from './at-longest.js'
import type { Dispatcher } from './dispatch.js'
import type { Housekeeper } from './housekeeper.js'
import type { Inbox } from './inbox.js'
import type { RegisteredSubscriber } from './registered-subscriber.js'
import type { Store } from './store.js'

/** What is to be begun and ended with an inbox. */
export interface Living {
  store: Pick<Store, 'open' | 'register' | 'health' | 'close'>
  /** Those that there are adapters for: their default account is connected from the start. */
  providers: readonly string[]
  connectedUs(provider: string, account: string, firstUs: Micros): Promise<Micros>
  subscribers: readonly RegisteredSubscriber[]
  observer: Pick<Required<Observer>, 'watch'>
  recording: Pick<Recorder, 'flushed'>
  /** False: nothing is worked on or swept but when it is asked for. */
  isDispatching: boolean
  work: Pick<Dispatcher, 'start' | 'stop' | 'isWorking'>
  keeping: Pick<Housekeeper, 'start' | 'attend' | 'stop'>
  alerts: Pick<Alerts, 'learn' | 'settled'>
  /** How long what runs may take, in milliseconds: the slowest callback or fetch. */
  longestRunMs: number
  log: Log
}

export interface Lifetime extends Pick<Inbox, 'start' | 'close'> {
  /** True from the call of `close` on. */
  isClosing(): boolean
  /** Hashes an address with the installation's secret, which is known once it is started. */
  hash(text: string): string
}

const retryStartMs = 1_000

/** How long closing waits for a store that hangs, in milliseconds: for as long as a delivery does, and a bit. */
const patienceMs = defaultRecorder.timeoutMs + 1_000

/** How long it is given to let go of its connections where it hung before, in milliseconds. */
const lastMs = 1_000

/** Opens the store once, however often it is started and until it works, and closes everything in the order in which one part uses another. */
export function lifetime(living: Living): Lifetime {
  const { store, observer, recording, work, keeping, alerts, log } = living
  let isClosing = false
  let hash = addressHash('')
  let opening: Promise<void> | null = null
  let retry: NodeJS.Timeout | undefined
  let unwatch: (() => void) | undefined

  const open = async (): Promise<void> => {
    const { secret } = await store.open()
    hash = addressHash(secret)
    await store.register(living.subscribers.map(({ name, takes }) => ({ name, takes })))
    for (const provider of living.providers) await living.connectedUs(provider, 'default', 0)
    // Before the first request, whose good signature may be the end of a streak.
    await alerts.learn()
    if (isClosing) return
    if (living.isDispatching) {
      await keeping.start()
      work.start()
    } else keeping.attend()
    // Last, as what fails before it is tried again, and not for an inbox that was closed meanwhile: nobody would end it.
    if (!isClosing) unwatch = observer.watch(() => store.health())
  }
  const start = (): Promise<void> => {
    clearTimeout(retry)
    opening ??= open().catch(error => {
      opening = null
      if (!isClosing) retry = setTimeout(() => void start().catch(() => {}), retryStartMs)
      throw error
    })
    return opening
  }

  return {
    start,
    async close() {
      isClosing = true
      clearTimeout(retry)
      unwatch?.()
      unwatch = undefined
      // Before anything is waited for: what is let go of meanwhile would be claimed here again.
      const worked = work.stop()
      const finish = async (): Promise<void> => {
        await opening?.catch(() => {})
        await recording.flushed()
        await worked
      }
      const endRest = async (): Promise<void> => {
        await keeping.stop()
        await alerts.settled()
      }
      // What runs may take as long as it is allowed to; what else takes longer than a delivery waits for a store that hangs.
      const { longestRunMs } = living
      let isAnswering = await atLongest(patienceMs + (work.isWorking() ? longestRunMs : 0), finish())
      const inTime = async (ms: number, work: Promise<void>): Promise<void> => {
        isAnswering = (await atLongest(isAnswering ? ms : lastMs, work)) && isAnswering
      }
      await inTime(patienceMs + longestRunMs, endRest())
      await inTime(patienceMs, store.close())
      if (!isAnswering) log.warn('closed, but the store hangs: it was not waited for')
    },
    isClosing: () => isClosing,
    hash: text => hash(text),
  }
}
