import { BookingWebhooksError, invalidOption } from '../event/errors.js'
import type { Log } from '../event/log.js'
import type { ClaimedLane } from '../inbox/lane.js'
import type { Store } from '../inbox/store.js'
import type { StoredTell } from './stored-tell.js'

/** What every database keeps as a key, in bytes. */
const longestName = 255

/** One run of a tell. */
export interface Run {
  store: Pick<Store, 'steps' | 'saveStep'>
  lane: ClaimedLane
  tell: StoredTell
  /** Aborted when the run's time is up or its lease is lost: what it would do from then on, the next run does again. */
  signal: AbortSignal
  log: Log
}

/**
 * The `once` of one run: a step's result is kept (JSON) per event and subscriber, and a later run gets the kept one.
 * A step that was running when the process died runs again. A name used twice in one run is STEP_NAME_REUSED.
 */
export function once({
  store,
  lane,
  tell,
  signal,
  log,
}: Run): <Result>(name: string, step: () => Result | Promise<Result>) => Promise<Result> {
  const used = new Set<string>()
  let kept: Promise<Map<string, unknown>> | null = null
  return async <Result>(name: string, step: () => Result | Promise<Result>): Promise<Result> => {
    if (!isName(name))
      throw invalidOption(
        `once(name): a name has 1 to ${longestName} bytes, without U+0000 and halves of surrogate pairs.`,
      )
    if (used.has(name))
      throw new BookingWebhooksError(
        'STEP_NAME_REUSED',
        `once('${name}') was called twice in one run. Give each step a name of its own.`,
      )
    used.add(name)
    kept ??= store.steps(tell.eventId, tell.subscriber)
    const results = await kept
    // Kept results were returned by this very step before; JSON keeps their shape.
    if (results.has(name)) return results.get(name) as Result
    signal.throwIfAborted()
    const result = await step()
    if (!isJson(result))
      // The step has had its effect: to run it again would be worse than to forget what it returned.
      log.warn('the result of a step is no JSON and is kept as null', {
        event: tell.eventId,
        subscriber: tell.subscriber,
        step: name,
      })
    await store.saveStep(lane, tell, name, isJson(result) ? result : null)
    return result
  }
}

/** What every database keeps as it is: a name that was refused or changed only once the step has run would have it run again. */
function isName(name: unknown): boolean {
  return (
    typeof name === 'string' && /^[^\0\p{Surrogate}]+$/u.test(name) && Buffer.byteLength(name) <= longestName
  )
}

/** False for what refers to itself (the responses of some HTTP clients) or holds a BigInt. */
function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}
