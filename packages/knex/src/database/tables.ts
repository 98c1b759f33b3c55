import { invalidOption } from '@booking-webhooks/core'

const names = [
  'installation',
  'events',
  'lanes',
  'tells',
  'bookings',
  'subjects',
  'subject_locks',
  'slots',
  'waiting',
  'steps',
  'subscribers',
  'streaks',
  'alerts',
  'accounts',
  'replays',
  'erasures',
] as const

export type TableName = (typeof names)[number]

/** The tables' names in the database, by what they hold, and the prefix itself for constraints and locks. */
export type Tables = Record<TableName, string> & { prefix: string }

/** Letters, digits and underscores only, so that a table's name can stand in SQL as it is. */
const prefixPattern = /^[a-z_][a-z0-9_]{0,29}$/

/** Names the tables; throws INVALID_OPTION for a prefix that is no plain lower-case identifier. */
export function namedTables(prefix: string): Tables {
  if (!prefixPattern.test(prefix))
    throw invalidOption(
      `knexStore(database, { prefix }) takes lower-case letters, digits and underscores, at most 30, not ${JSON.stringify(prefix)}.`,
    )
  const tables = Object.fromEntries(names.map(name => [name, `${prefix}${name}`]))
  return { ...(tables as Record<TableName, string>), prefix }
}
