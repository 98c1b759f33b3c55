import { BookingWebhooksError } from '../event/errors.js'
import type { ClaimedLane, Store, StoredTell } from '../inbox/store.js'

/**
 * The `once` of one run: a step's result is kept (JSON) per event and subscriber, and a later run gets the kept one.
 * A step that was running when the process died runs again. A name used twice in one run is STEP_NAME_REUSED.
 */
export function once(
  store: Pick<Store, 'steps' | 'saveStep'>,
  lane: ClaimedLane,
  tell: StoredTell,
): <Result>(name: string, step: () => Result | Promise<Result>) => Promise<Result> {
  const used = new Set<string>()
  let kept: Promise<Map<string, unknown>> | null = null
  return async <Result>(name: string, step: () => Result | Promise<Result>): Promise<Result> => {
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
    const result = await step()
    await store.saveStep(lane, tell, name, result)
    return result
  }
}
