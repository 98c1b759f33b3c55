import type { Database } from '../database/database.js'
import { canThread, startThread, type Thread } from './start-thread.js'

const threads = new WeakMap<Database, Thread>()

/** The database's thread, once it runs: the first call starts it. Null until then, and where there is none. */
export function threadOf(database: Database): Thread | null {
  if (!database.opening) return null
  const thread = threads.get(database) ?? (canThread() ? startThread(database.opening) : null)
  if (thread) threads.set(database, thread)
  return thread?.isReady() ? thread : null
}

/** What it was given is stored first. */
export async function endThread(database: Database): Promise<void> {
  await threads.get(database)?.end()
}
