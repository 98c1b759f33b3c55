import type { Database as Connection } from 'better-sqlite3'
import type { Database } from '../database/database.js'
import { startThread, type Thread } from './start-thread.js'

const threads = new WeakMap<Database, Thread | null>()

/** The database's thread, once it runs: the first call starts it. Null until then, and where there is none. */
export function threadOf(database: Database, connection: Connection): Thread | null {
  if (!threads.has(database)) threads.set(database, started(database, connection))
  const thread = threads.get(database)
  return thread?.isReady() ? thread : null
}

/** On the file that the connection has: a relative name may be another file's by now. */
function started({ opening }: Database, connection: Connection): Thread | null {
  if (!opening) return null
  const files = connection.pragma('database_list') as { name: string; file: string }[]
  const filename = files.find(({ name }) => name === 'main')?.file
  return filename ? startThread({ ...opening, filename }) : null
}

/** What it was given is stored first. */
export async function endThread(database: Database): Promise<void> {
  await threads.get(database)?.end()
}
