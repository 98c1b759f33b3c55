import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.js'
import { storeError } from './store-error.js'

/** Thrown inside a transaction to roll it back and run it again, without counting an attempt of anything. */
export class RunAgain extends Error {}

/**
 * Runs `work` again after a deadlock, a serialization failure, a busy file or `RunAgain`, with growing, jittered pauses for up to `forMs`.
 * Whatever it rejects with is an error of the library, free of SQL and of what was bound to it.
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
      const isTransient = error instanceof RunAgain || dialect.failureOf(error) === 'transient'
      if (!isTransient || performance.now() >= until) throw storeError(dialect, error)
    }
    await sleep(Math.random() * Math.min(50, 2 ** tries))
  }
}
