import { describeError } from '../event/describe-error.js'
import type { Log } from '../event/log.js'
import type { AlertRule } from './alert-rule.js'

export interface ResultCounter {
  /** Counts failures of a subject, or (0) a success, after what was to be counted before. Resolves once it is counted. Never rejects. */
  count(subject: string, failures: number, rule: AlertRule): Promise<void>
  /** Resolves when nothing waits to be counted. */
  settled(): Promise<void>
}

export interface Counting {
  count(subject: string, failures: number, rule: AlertRule): Promise<void>
  log: Log
}

interface Queued {
  failures: number
  rule: AlertRule
}

/** A subject that changes its mind faster than the store counts is counted by its latest results. */
const queuedAtMost = 100

/**
 * Counts results of each subject one after another. Failures that come while the store is at it are counted together: a storm of requests with
 * wrong signatures costs one write at a time, however many they are.
 */
export function resultCounter({ count, log }: Counting): ResultCounter {
  const queues = new Map<string, Queued[]>()
  const running = new Map<string, Promise<void>>()

  const work = async (subject: string, queue: Queued[]): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift())
      try {
        await count(subject, next.failures, next.rule)
      } catch (error) {
        log.error('an alert could not be raised', { subject, reason: describeError(error) })
      }
    queues.delete(subject)
    running.delete(subject)
  }

  return {
    count(subject, failures, rule) {
      const queue = queues.get(subject) ?? []
      queues.set(subject, queue)
      const last = queue.at(-1)
      if (last && failures > 0 && last.failures > 0)
        queue.splice(-1, 1, { failures: last.failures + failures, rule })
      else queue.push({ failures, rule })
      if (queue.length > queuedAtMost) queue.shift()
      const run = running.get(subject) ?? work(subject, queue)
      running.set(subject, run)
      return run
    },
    async settled() {
      await Promise.all(running.values())
    },
  }
}
