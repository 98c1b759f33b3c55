import { setImmediate as nextTurn } from 'node:timers/promises'
import { BookingWebhooksError, isBookingWebhooksError } from '../event/errors.js'
import type { Store } from '../inbox/store.js'
import type { NewEvent, Recorded } from '../inbox/stored-event.js'

export interface RecorderOptions {
  /** Rows and bytes that may wait for a commit; more is STORE_BUSY. */
  maxWaitingRows: number
  maxWaitingBytes: number
  /** How long one call may wait, in milliseconds. */
  timeoutMs: number
}

/** 5 s is a third of the shortest time-out of the providers (Calendly reads for 15 s); 64 MiB is 64 bodies at the limit. */
export const defaultRecorder: RecorderOptions = {
  maxWaitingRows: 10_000,
  maxWaitingBytes: 64 << 20,
  timeoutMs: 5_000,
}

/** Larger batches gain nothing: a commit's cost is spread thin by then, and everyone in it waits for the last row. */
const batchRows = 256

export interface Recorder {
  /**
   * Stores the events of one request and resolves after their commit.
   * Rejects with STORE_BUSY when too much waits, STORE_UNAVAILABLE when the store fails or the time is up.
   */
  record(events: NewEvent[]): Promise<Recorded[]>
  /** Resolves when nothing waits any more, in `timeoutMs` at the latest. */
  flushed(): Promise<void>
}

interface Waiting {
  events: NewEvent[]
  bytes: number
  settle: (result: Recorded[]) => void
  fail: (error: unknown) => void
  timer: NodeJS.Timeout
  /** Its time was up: it was answered, and comes again. */
  isOver: boolean
}

/**
 * Shares commits: what arrives while one commit runs goes into the next one, whole. A commit that nobody waits for any more, their time being up,
 * holds up no other: the connection that it went out on may be dead without a word, and the next one goes out on another.
 */
export function recorder(store: Pick<Store, 'record'>, options: RecorderOptions = defaultRecorder): Recorder {
  const queue: Waiting[] = []
  let rows = 0
  let bytes = 0
  let running: Promise<void> | null = null
  /** What the store has been given; null where nobody waits for that any more. */
  let writing: Waiting[] | null = null
  /** To be told when what is written is left behind. */
  const leftBehind: (() => void)[] = []

  const leave = (one: Waiting) => {
    clearTimeout(one.timer)
    rows -= one.events.length
    bytes -= one.bytes
  }

  const write = async (batch: Waiting[]): Promise<void> => {
    try {
      const recorded = await store.record(batch.flatMap(one => one.events))
      let at = 0
      for (const one of batch) {
        one.settle(recorded.slice(at, at + one.events.length))
        at += one.events.length
      }
    } catch (error) {
      // One row that the store refuses, or one lane that is locked, must not hurt the others of its batch.
      const isEveryones = batch.length === 1 || isBookingWebhooksError(error, 'STORE_UNAVAILABLE')
      if (isEveryones) for (const one of batch) one.fail(error)
      else for (const one of batch) if (!one.isOver) await write([one])
    }
  }

  const flush = async (): Promise<void> => {
    while (queue.length > 0) {
      // What has arrived while a commit blocked the thread is read in this turn of the event loop, and shares the next one.
      await nextTurn()
      // Everybody's time may have been up meanwhile.
      if (queue.length === 0) break
      const batch = takeBatch(queue)
      writing = batch
      await write(batch)
      for (const one of batch) leave(one)
      // It came late, and another flush has gone on without it.
      if (writing !== batch) return
      writing = null
    }
    running = null
  }

  const leaveBehind = (): void => {
    writing = null
    running = queue.length > 0 ? flush() : null
    for (const tell of leftBehind.splice(0)) tell()
  }

  return {
    record(events) {
      const size = events.reduce((sum, event) => sum + (event.body?.byteLength ?? 0), 0)
      if (rows + events.length > options.maxWaitingRows || bytes + size > options.maxWaitingBytes)
        return Promise.reject(new BookingWebhooksError('STORE_BUSY', 'Too many events wait to be stored.'))
      return new Promise((settle, fail) => {
        const timer = setTimeout(() => {
          one.isOver = true
          const at = queue.indexOf(one)
          if (at >= 0) leave(...(queue.splice(at, 1) as [Waiting]))
          else if (writing?.every(({ isOver }) => isOver)) leaveBehind()
          fail(new BookingWebhooksError('STORE_UNAVAILABLE', 'The store did not commit the event in time.'))
        }, options.timeoutMs)
        const one: Waiting = { events, bytes: size, settle, fail, timer, isOver: false }
        rows += events.length
        bytes += size
        queue.push(one)
        running ??= flush()
      })
    },
    async flushed() {
      while (running) await Promise.race([running, new Promise<void>(resolve => leftBehind.push(resolve))])
    },
  }
}

function takeBatch(queue: Waiting[]): Waiting[] {
  let rows = 0
  let count = 0
  for (const one of queue) {
    if (count > 0 && rows + one.events.length > batchRows) break
    rows += one.events.length
    count += 1
  }
  return queue.splice(0, count)
}
