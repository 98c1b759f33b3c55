import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../inbox/store.js'

/** How many parts one sweep does: what is left is the next one's. */
const partsAtMost = 100

/** Between two parts, in milliseconds, so that what is live has the database for itself most of the time. */
const pauseMs = 20

/** Blanks what retention no longer keeps, part by part; how many events. */
export async function expire(
  store: Pick<Store, 'expire'>,
  keptMs: number,
  isClosing: () => boolean,
): Promise<number> {
  let events = 0
  for (let part = 0; part < partsAtMost && !isClosing(); part += 1) {
    const { blanked, isOver } = await store.expire(keptMs)
    events += blanked
    if (isOver) break
    await sleep(pauseMs)
  }
  return events
}
