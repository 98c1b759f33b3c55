import type { Log } from '@booking-webhooks/core'

/** A log whose lines are thrown away until `release()`: a story is told without its stage directions. */
export function heldBack(log: Log): Log & { release(): void } {
  let isHeld = true
  const unlessHeld =
    (write: Log['info']): Log['info'] =>
    (message, fields) => {
      if (!isHeld) write(message, fields)
    }
  return {
    debug: unlessHeld(log.debug),
    info: unlessHeld(log.info),
    warn: unlessHeld(log.warn),
    error: unlessHeld(log.error),
    release() {
      isHeld = false
    },
  }
}
