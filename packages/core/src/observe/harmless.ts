import { describeError } from '../event/describe-error.js'
import type { Log } from '../event/log.js'
import type { Observer } from './observer.js'

/** The same observer, but nothing that it throws or rejects with reaches the work. Says so once for each method. */
export function harmless(observer: Observer, log: Log): Required<Observer> {
  const isSaid = new Set<keyof Observer>()
  const failed = (method: keyof Observer, error: unknown): void => {
    if (isSaid.has(method)) return
    isSaid.add(method)
    log.warn('the observer failed, which is said once', { method, reason: describeError(error) })
  }
  const quietly = <Result>(method: keyof Observer, call: () => Result): Result | undefined => {
    try {
      const result = call()
      // An async method fits a type that returns nothing.
      if (result instanceof Promise) result.catch(error => failed(method, error))
      return result
    } catch (error) {
      failed(method, error)
      return undefined
    }
  }
  return {
    during: (stage, work) =>
      observer.during
        ? within(
            begin => observer.during?.(stage, begin),
            work,
            error => failed('during', error),
          )
        : work(null),
    answered: answer => void quietly('answered', () => observer.answered?.(answer)),
    committed: commit => void quietly('committed', () => observer.committed?.(commit)),
    settled: settled => void quietly('settled', () => observer.settled?.(settled)),
    attempted: run => void quietly('attempted', () => observer.attempted?.(run)),
    watch(health) {
      const unwatch = quietly('watch', () => observer.watch?.(health))
      return () => void quietly('watch', () => unwatch?.())
    },
  }
}

type Work<Result> = (traceparent: string | null) => Promise<Result>

/** How the work itself ends, which runs once: within `around` where that begins it, else after it. */
async function within<Result>(
  around: (begin: Work<Result>) => Promise<unknown> | undefined,
  work: Work<Result>,
  failed: (error: unknown) => void,
): Promise<Result> {
  let running: Promise<Result> | undefined
  const begin: Work<Result> = traceparent => {
    running ??= work(traceparent)
    return running
  }
  const observed = (async () => around(begin))().catch(async error => {
    const own = await running?.then(
      () => null,
      reason => reason,
    )
    // What the work threw is passed on by whoever observes it.
    if (own !== error) failed(error)
  })
  if (!running) await observed
  return begin(null)
}
