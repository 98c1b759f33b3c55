import Database from 'better-sqlite3'

/**
 * The app's own calendar, in a file of its own: better-sqlite3 would block the process while it waits for a lock that
 * the ledger holds in the same process. Callbacks run at least once, so `put` and `remove` may be repeated.
 *
 * @param {string} file
 * @returns {{
 *   put(booking: import('@booking-webhooks/core').Booking): void,
 *   remove(bookingId: string): void,
 *   all(): unknown[],
 *   close(): void,
 * }}
 */
export function openCalendar(file) {
  const database = new Database(file)
  database.exec(
    'CREATE TABLE IF NOT EXISTS meetings (id TEXT PRIMARY KEY, startsAt TEXT, who TEXT, host TEXT)',
  )
  const put = database.prepare('INSERT OR REPLACE INTO meetings VALUES (?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM meetings WHERE id = ?')
  const all = database.prepare('SELECT startsAt, who, host FROM meetings ORDER BY startsAt')
  return {
    put({ id, startsAt, attendee, hosts }) {
      put.run(id, startsAt, attendee?.name ?? null, hosts[0]?.name ?? null)
    },
    remove(bookingId) {
      remove.run(bookingId)
    },
    all: () => all.all(),
    close: () => database.close(),
  }
}
