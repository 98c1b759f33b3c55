import type { SettleTransaction, Store } from '@booking-webhooks/core'

/**
 * The store, but the process dies as by `kill -9` around its nth step: before it for 2n, after it for 2n + 1.
 * Steps are the store's operations and those inside of settling; null never dies.
 */
export function dyingStore(store: Store, dieAt: number | null): Store {
  if (dieAt === null) return store
  let steps = 0
  const around = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const step = steps++
    if (dieAt === step * 2) die()
    const result = await work()
    if (dieAt === step * 2 + 1) die()
    return result
  }
  const wrapped = new Proxy(store, {
    get(target, name, receiver) {
      const value = Reflect.get(target, name, receiver)
      if (typeof value !== 'function' || !counted.has(name as keyof Store)) return value
      if (name === 'settle') {
        const settle: Store['settle'] = (lane, work) =>
          around(() => target.settle(lane, transaction => work(dyingTransaction(transaction, around))))
        return settle
      }
      return (...given: unknown[]) => around(() => value.apply(target, given))
    },
  })
  return wrapped
}

/** What the clock drives is left out, so that the nth step is the same in each run. */
const counted = new Set<keyof Store>([
  'open',
  'register',
  'record',
  'settle',
  'saveSnapshot',
  'beginAttempt',
  'endAttempt',
  'release',
])

function dyingTransaction(
  transaction: SettleTransaction,
  around: <Result>(work: () => Promise<Result>) => Promise<Result>,
): SettleTransaction {
  return new Proxy(transaction, {
    get(target, name, receiver) {
      const value = Reflect.get(target, name, receiver)
      return typeof value === 'function'
        ? (...given: unknown[]) => around(() => value.apply(target, given))
        : value
    },
  })
}

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal is on its way.
  for (;;);
}
