import type { Knex } from 'knex'

/**
 * After how long without traffic the kernel asks whether the other side is still there, in milliseconds: well before what stands in between (the load
 * balancer of AWS after 350 s) forgets a connection without a word. The kernel's own two hours are too late for that.
 */
const idleMs = 30_000

/** Keeps the connections that this Knex makes alive where its configuration or URL does not say otherwise. One that is made by a function is its own. */
export function keepAlive(knex: Knex): void {
  const { connectionSettings: settings, driverName } = knex.client
  if (typeof settings !== 'object' || settings === null) return
  if (driverName === 'pg') {
    settings.keepAlive = isOn(settings.keepAlive ?? settings.keepalives)
    settings.keepAliveInitialDelayMillis ??= idleMs
  } else if (driverName === 'mysql2') {
    settings.enableKeepAlive = isOn(settings.enableKeepAlive)
    settings.keepAliveInitialDelay ??= idleMs
  }
}

/** A URL says it in words. */
function isOn(value: unknown): boolean {
  return value === undefined || !['false', '0', 'null'].includes(String(value))
}
