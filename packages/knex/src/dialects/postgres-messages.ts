import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Messages } from './dialect.js'

/** How long to wait before listening again after the connection was lost, in milliseconds. */
const againMs = 5_000

/** What is used of a connection of pg. */
interface Listening {
  on(event: 'error' | 'end', listener: () => void): void
  on(event: 'notification', listener: (message: { payload?: string }) => void): void
  query(sql: string): Promise<unknown>
  end(): Promise<void>
}

/** NOTIFY and LISTEN; null for an embedded PostgreSQL, which has no other processes. */
export function postgresMessages(knex: Knex, channel: string): Messages | null {
  if (knex.client.driverName !== 'pg') return null
  const sender = randomUUID()
  return {
    async send() {
      await knex.raw(`NOTIFY ${channel}, '${sender}'`)
    },
    receive(listener) {
      const stopped = new AbortController()
      const heard = (from?: string) => {
        if (from !== sender) listener()
      }
      const listening = keepListening(knex, channel, heard, stopped.signal)
      return async () => {
        stopped.abort()
        await listening
      }
    },
  }
}

/** Listens on a connection of its own, outside the pool, and again whenever that is lost, until told to stop. */
async function keepListening(
  knex: Knex,
  channel: string,
  heard: (from?: string) => void,
  stopped: AbortSignal,
): Promise<void> {
  while (!stopped.aborted) {
    try {
      const connection: Listening = await knex.client.acquireRawConnection()
      await listenOn(connection, channel, heard, stopped)
    } catch {
      // No connection now: polling finds the work meanwhile.
    }
    await sleep(againMs, undefined, { signal: stopped, ref: false }).catch(() => {})
  }
}

/** Resolves when the connection is lost or the signal says to stop. */
async function listenOn(
  connection: Listening,
  channel: string,
  heard: (from?: string) => void,
  stopped: AbortSignal,
): Promise<void> {
  const over = new Promise<void>(resolve => {
    connection.on('error', resolve)
    connection.on('end', resolve)
    stopped.addEventListener('abort', () => resolve(), { once: true })
    if (stopped.aborted) resolve()
  })
  connection.on('notification', ({ payload }) => heard(payload))
  try {
    await Promise.race([connection.query(`LISTEN ${channel}`), over])
    // What was said before this connection listened.
    heard()
    await over
  } finally {
    await connection.end().catch(() => {})
  }
}
