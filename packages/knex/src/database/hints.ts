import type { Database } from './database.js'

/** Says to other processes that there may be work. It may be lost: polling finds the work then. */
export interface Hints {
  give(): void
  /** Calls back on the hints of other processes; returns how to stop. */
  listen(listener: () => void): () => void
  /** Stops all listening. */
  close(): Promise<void>
}

/** One hint says as much as ten. */
const pauseMs = 50

/**
 * Hints through the database; null where it has no such thing. They are given outside the transaction that made the work: inside, each
 * commit would queue for a lock of the whole server.
 */
export function hintsOf({ knex, dialect, tables }: Database): Hints | null {
  const messages = dialect.messages?.(knex, `${tables.prefix}work`)
  if (!messages) return null
  const stops = new Set<() => Promise<void>>()
  let isResting = false
  let isWanted = false

  const give = (): void => {
    isWanted = true
    if (isResting) return
    isResting = true
    isWanted = false
    messages.send().catch(() => {})
    setTimeout(() => {
      isResting = false
      if (isWanted) give()
    }, pauseMs).unref()
  }

  return {
    give,
    listen(listener) {
      const stop = messages.receive(listener)
      stops.add(stop)
      return () => {
        stops.delete(stop)
        void stop()
      }
    },
    async close() {
      await Promise.all([...stops].map(stop => stop()))
    },
  }
}
