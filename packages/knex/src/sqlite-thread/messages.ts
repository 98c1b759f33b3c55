import type { Batch } from './record-batch.js'

/** What the thread is asked. */
export type Request = Batch | 'close'

/** An error, as far as it outlives the way between threads. */
export interface Thrown {
  name: string
  message: string
  code?: string
}

/** The first answer is that the file is open; then one to each request, in their order. */
export type Answer = { counts: number[] } | { thrown: Thrown }
