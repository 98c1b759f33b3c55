import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.js'
import { failureOf, storeBusy, storeError } from './store-error.js'

/** How long an operation is tried again after deadlocks and busy files, in milliseconds. */
export const patienceMs = 5_000

/** Thrown inside a transaction to roll it back and run it again, without counting an attempt of anything. */
export class RunAgain extends Error {}

/**
 * Runs `work` again after a deadlock, a serialization failure, a busy file or `RunAgain`, with growing, jittered pauses for up to `forMs`.
 * A driver's error comes out as one of the library's, free of SQL and of what was bound to it; any other as it is.
 */
export async function retrying<Result>(
  { dialect }: Pick<Database, 'dialect'>,
  work: () => Promise<Result>,
  forMs: number,
): Promise<Result> {
  const until = performance.now() + forMs
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const isAgain = error instanceof RunAgain
      if (!isAgain && failureOf(dialect, error) !== 'transient') throw storeError(dialect, error)
      if (performance.now() >= until) throw isAgain ? storeBusy(dialect) : storeError(dialect, error)
    }
    await sleep(Math.random() * Math.min(50, 2 ** tries))
  }
}
