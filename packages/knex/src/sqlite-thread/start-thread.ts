import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Answer, Request, Thrown } from './messages.js'
import type { Opening } from './opening-of.js'
import type { Batch } from './record-batch.js'

/** A thread that stores events while the process goes on: the disk holds up nobody else. */
export interface Thread {
  /** False while it starts, and once it has ended. */
  isReady(): boolean
  /** How often each event of the batch has come by now. Rejects with the driver's error, or `ThreadEnded`. The memory of the bodies changes hands. */
  record(batch: Batch): Promise<number[]>
  end(): Promise<void>
}

/** The thread is gone. What it was given is stored or not. */
export class ThreadEnded extends Error {}

/** Null where a bundle left the thread's file behind; one for CommonJS has no address itself. */
function entryOfThread(): URL | null {
  const here: string | undefined = import.meta.url
  if (!here) return null
  const entry = new URL('./sqlite-thread.js', here)
  return existsSync(entry) ? entry : null
}

/** Null where there can be none. */
export function startThread(opening: Opening): Thread | null {
  const entry = entryOfThread()
  if (!entry) return null
  try {
    return threadIn(new Worker(entry, { workerData: opening, name: 'booking-webhooks' }))
  } catch {
    // A limit of threads, or none allowed (`--permission`): the process stores by itself.
    return null
  }
}

function threadIn(worker: Worker): Thread {
  const waiting: { answer(counts: number[]): void; fail(error: Error): void }[] = []
  let state: 'starting' | 'ready' | 'ended' = 'starting'

  const end = (): void => {
    state = 'ended'
    for (const { fail } of waiting.splice(0))
      fail(new ThreadEnded('The thread that stores events has ended.'))
  }
  worker.on('message', (said: Answer) => {
    if (state === 'starting') {
      state = 'ready'
      return
    }
    const next = waiting.shift()
    if ('thrown' in said) next?.fail(rebuilt(said.thrown))
    else next?.answer(said.counts)
  })
  // What it says is no secret, but may be the driver's: whoever stores does so in the process from now on, and sees for himself.
  worker.on('error', end)
  worker.on('exit', end)
  // Whoever wants to end without closing may.
  worker.unref()

  return {
    isReady: () => state === 'ready',
    record: batch =>
      new Promise((answer, fail) => {
        worker.postMessage(batch satisfies Request, [batch.bodies.buffer as ArrayBuffer])
        waiting.push({ answer, fail })
      }),
    async end() {
      if (state === 'ended') return
      // It was given nothing yet, and may wait for something that never comes, which the process preloads.
      if (state === 'starting') return void (await worker.terminate())
      const exit = once(worker, 'exit')
      worker.ref()
      worker.postMessage('close' satisfies Request)
      await exit.catch(() => {})
    },
  }
}

function rebuilt({ name, message, code }: Thrown): Error {
  return Object.assign(new Error(message), { name }, code === undefined ? {} : { code })
}
