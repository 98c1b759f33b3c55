import type { SchemaState } from '@booking-webhooks/knex'

/** Whether a database's schema is up to date, and which command helps where it is not. */
export function schemaInWords({ version, needed, isCurrent }: SchemaState): string {
  if (isCurrent) return `The schema is up to date (version ${version}).`
  return version < needed
    ? `The schema is at version ${version}, this package needs ${needed}. Run booking-webhooks migrate.`
    : `The schema is at version ${version}, this package knows ${needed}. Update booking-webhooks.`
}
