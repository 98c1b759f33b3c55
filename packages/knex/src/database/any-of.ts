import type { Knex } from 'knex'
import type { Row } from '../dialects/dialect.js'

/**
 * Rows with any of these keys, for a statement that writes: MariaDB finds a list of pairs by its index only where it reads; where it writes, it would
 * lock every row there is on its way.
 */
export function anyOf(keys: Row[]): (query: Knex.QueryBuilder) => void {
  return query => {
    for (const key of keys) query.orWhere(key)
  }
}
