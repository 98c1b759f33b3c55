import type { Adapter } from '../adapter/adapter.js'
import type { Fetched } from './fetch-snapshot.js'

/** Who may ask a provider's API when. */
export interface Turns {
  /** Asks in one of the provider's turns, or after a short queue for one; where that is full it is `later`, and nothing was asked. */
  take(provider: string, ask: () => Promise<Fetched>): Promise<Fetched>
}

/** How long one that is sent away stays away, in milliseconds, and how far apart they come back: each look costs the store a claim and a release. */
const awayMs = 200
const apartMs = 10

/**
 * So many turns for each provider, and a queue as long. Whoever finds it full comes back instead of waiting in one of the places that everybody
 * shares: an API that hangs would soon have all of them, and hold up those of other providers. A drain waits for all anyway.
 */
export function turns(most: number, isDraining: () => boolean): Turns {
  const providers = new Map<string, { running: number; queue: (() => void)[]; lastBackAt: number }>()

  return {
    async take(provider, ask) {
      const one = providers.get(provider) ?? { running: 0, queue: [], lastBackAt: 0 }
      providers.set(provider, one)
      if (one.running >= most && one.queue.length >= most && !isDraining()) {
        const now = performance.now()
        one.lastBackAt = Math.max(now + awayMs, one.lastBackAt + apartMs)
        return { is: 'later', afterMs: one.lastBackAt - now, hasFailed: false }
      }
      if (one.running >= most) await new Promise<void>(resolve => one.queue.push(resolve))
      else one.running += 1
      try {
        return await ask()
      } finally {
        // Whoever is first in the queue takes this one's turn.
        const next = one.queue.shift()
        if (next) next()
        else one.running -= 1
      }
    },
  }
}

/** Lanes share what they write and ask of the store: on PostgreSQL 8,000 events were drained at 159 a second with 16, at 248 to 359 with 64. */
const sharedAtOnce = 64

/** How many lanes are settled at once: more than all providers' APIs can hold up together, in their turns and the queues for them. */
export function settledAtOnce(adapters: readonly Adapter[], most: number): number {
  const asked = adapters.filter(({ fetch }) => fetch !== undefined).length
  return Math.max(sharedAtOnce, most * (2 * asked + 1))
}
