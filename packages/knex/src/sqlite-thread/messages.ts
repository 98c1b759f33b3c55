import type { Batch } from './record-batch.js'

/** How a connection to a file of SQLite is made. */
export interface Opening {
  /** The entry of the driver's package, where Knex finds it. */
  driver: string
  filename: string
  nativeBinding?: string
}

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
