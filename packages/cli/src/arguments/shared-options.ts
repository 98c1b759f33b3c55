import { Option } from 'commander'

/** What every command takes. */
export interface SharedOptions {
  database?: string
  json?: boolean
}

/** `--database`, for commands that open one. */
export function databaseOption(): Option {
  return new Option(
    '--database <url>',
    'a SQLite file, sqlite:PATH, postgres://… or mysql://… (default: DATABASE_URL, else ./booking-webhooks.db)',
  )
}

/** `--database`, taken and not needed, so that scripts may give all commands the same options. */
export function unusedDatabaseOption(): Option {
  return new Option('--database <url>').hideHelp()
}

export function jsonOption(): Option {
  return new Option('--json', 'one JSON object a line instead of a table')
}
