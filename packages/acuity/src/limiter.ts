import { backoff, FetchError } from '@booking-webhooks/core'
import PQueue from 'p-queue'

/** How all calls of one process share Acuity's patience: 10 requests a second and 20 connections to an IP address, whatever the account. */
export interface Limiter {
  /** Runs a call when its turn has come. Throws the failure of a 429 while Acuity wants none, and the signal's reason once it is aborted. */
  run<Answer>(call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer>
  /** Acuity answered 429: no call goes out for so long, null meaning that it did not say. Returns the failure of the call. */
  slowDown(retryAfterMs: number | null): FetchError
  /** Acuity answered anything else. */
  goOn(): void
}

/** Half of the connections that Acuity allows: other processes may share the address. */
const connections = 10

/** The rate is counted in seconds: less is no answer to having asked too often. */
const shortestHoldMs = 1_000

/** Longer than any such window; a header cannot stop an account for a day. */
const longestHoldMs = 3_600_000

/** Calls are spaced evenly. `now` is a monotonic clock in milliseconds. */
export function limiter(requestsPerSecond: number, now = () => performance.now()): Limiter {
  const queue = new PQueue({
    concurrency: connections,
    interval: 1_000 / requestsPerSecond,
    intervalCap: 1,
    strict: true,
  })
  let heldUntilMs = 0
  let refusals = 0
  return {
    run(call, signal) {
      const turn = () => {
        const heldMs = Math.ceil(heldUntilMs - now())
        if (heldMs > 0) throw tooMany(heldMs)
        return call()
      }
      return queue.add(turn, { signal })
    },
    slowDown(retryAfterMs) {
      refusals += 1
      const wantedMs = retryAfterMs ?? backoff(refusals, { baseMs: 2_000, capMs: 60_000 })
      const heldMs = Math.min(longestHoldMs, Math.max(shortestHoldMs, wantedMs))
      heldUntilMs = Math.max(heldUntilMs, now() + heldMs)
      return tooMany(heldMs)
    },
    goOn() {
      refusals = 0
    },
  }
}

function tooMany(retryMs: number): FetchError {
  return new FetchError('Acuity wants fewer requests (429). Its account is left alone for a while.', {
    retry: retryMs,
    counts: false,
    pauseAccountMs: retryMs,
    givenUp: 'dead',
  })
}
