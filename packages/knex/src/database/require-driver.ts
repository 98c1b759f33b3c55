import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { invalidOption } from '@booking-webhooks/core'

const drivers: Record<string, string> = {
  'better-sqlite3': 'better-sqlite3',
  pg: 'pg',
  postgres: 'pg',
  postgresql: 'pg',
  mysql2: 'mysql2',
}

/**
 * Throws INVALID_OPTION unless the driver of a Knex client is installed, in a version for this Node: the file that Knex will load. It loads none.
 * Drivers are optional peers: said here in one sentence, where Knex would log and throw two others.
 */
export function requireDriver(client: string): string {
  const driver = drivers[client]
  if (driver === undefined)
    throw invalidOption(
      `knexStore() knows the Knex clients ${Object.keys(drivers).join(', ')}, not ${client}.`,
    )
  const entry = entryOf(driver)
  const problem = unfit(driver, versionOf(driver, entry), process.versions.node)
  if (problem) throw invalidOption(problem)
  return entry
}

/** Where Knex itself will find the driver. */
function entryOf(driver: string): string {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('knex'))
  try {
    return resolve(driver)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw invalidOption(`This database needs the package ${driver}. Run npm install ${driver}.`)
  }
}

/** From the package.json above the entry, as not every package exports its own; null where there is none of that name, as in a fork. */
function versionOf(driver: string, entry: string): string | null {
  for (let at = dirname(entry); at !== dirname(at); at = dirname(at)) {
    const { name, version } = packageIn(at)
    if (version !== undefined) return name === driver ? version : null
  }
  return null
}

function packageIn(directory: string): { name?: string; version?: string } {
  try {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  } catch {
    return {} // Looking for a version is no reason to fail.
  }
}

/** better-sqlite3 from 13 on installs on a Node before 22 with a warning, and ends the process there as it opens a file: nothing to catch. */
function unfit(driver: string, version: string | null, node: string): string | null {
  if (driver !== 'better-sqlite3' || version === null) return null
  if (majorOf(version) < 13 || majorOf(node) >= 22) return null
  return `better-sqlite3 ${version} crashes Node ${node}. Run npm install better-sqlite3@12, or use Node 22 or later.`
}

const majorOf = (version: string): number => Number.parseInt(version, 10)
