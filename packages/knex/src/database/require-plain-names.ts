import { invalidOption } from '@booking-webhooks/core'
import type { Knex } from 'knex'

/** Rejects with INVALID_OPTION where a Knex instance renames columns on their way: the store would read nothing of what it wrote. */
export async function requirePlainNames(knex: Knex): Promise<void> {
  const rows: unknown = await knex.select({ plain_name: knex.raw('1') })
  const [row] = Array.isArray(rows) ? rows : []
  if (Number(row?.plain_name) !== 1)
    throw invalidOption(
      'knexStore(database): this Knex renames columns (postProcessResponse, wrapIdentifier, such as snakeCaseMappers()). Hand over one that does not: knexStore() takes a URL or a configuration, too.',
    )
}
