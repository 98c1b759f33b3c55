import type { StoredTell } from './stored-tell.js'

/** How long a tell is left to other processes, in milliseconds: for that long a subscriber counts as running that no process was seen with. */
const leftForMs = 300_000

/** How long its lane rests meanwhile, in milliseconds. */
const restMs = 5_000

/**
 * Says of a tell whose type its subscriber does not take in this process after how many milliseconds to look at it again: a process of a newer
 * version wrote it, and takes it. Null once that has been said for five minutes, as nobody takes it any more.
 */
export function leaving(now: () => Date): (tell: StoredTell) => number | null {
  /** Since when, oldest first. */
  const since = new Map<string, number>()

  return ({ eventId, subscriber, replay }) => {
    const nowMs = now().getTime()
    const key = `${eventId}/${subscriber}/${replay}`
    const sinceMs = since.get(key) ?? nowMs
    if (nowMs - sinceMs >= leftForMs) {
      since.delete(key)
      return null
    }
    since.set(key, sinceMs)
    // Most are told by another process, and never come back here.
    for (const [other, otherMs] of since) {
      if (nowMs - otherMs < 2 * leftForMs) break
      since.delete(other)
    }
    return restMs
  }
}
